/// Programs on fields without links: the sites of one process, and random fields on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/common/process.h"
#include "reference/random.h"

namespace program
{

/// The sites of one process, on the whole lattice.
struct Sites {
  reference::Lattice global;
  reference::Part part;

  std::size_t count() const { return part.local.volume(); }
  std::uint64_t number(std::size_t slot) const { return global.lexicographic(part.global_coords(slot)); }
};

/// By --dim, --gridsize and --rank-order.
inline Sites sites_of(const Process &process, const Options &options)
{
  reference::Coords X;
  for (int d = 0; d < 4; d++) {
    const int local = options.dim[d] == 0 ? 8 : options.dim[d];
    if (local % 2 != 0)
      throw UsageError(std::string("--dim: extent ") + std::to_string(local) + " in " + "xyzt"[d] + " must be even");
    X[d] = local * options.grid[d];
  }
  const reference::Lattice global(X);
  return {global, reference::Part(global, options.grid, coord_of(process.rank(), options.grid, options.rank_order))};
}

/// One process's share of a random field; the whole lattice has the same numbers whatever the process grid. Fields of
/// one spin have spin 0 of the others.
template <class real> std::vector<real> random_field(const Sites &sites, int spins, std::uint64_t seed)
{
  const std::size_t numbers = 3 * spins;
  std::vector<real> field(2 * numbers * sites.count());
#pragma omp parallel for
  for (std::size_t i = 0; i < sites.count(); i++) {
    const auto psi = reference::random_spinor(seed, sites.number(i));
    for (std::size_t k = 0; k < numbers; k++) {
      field[2 * (numbers * i + k)] = static_cast<real>(psi.data()[k].real());
      field[2 * (numbers * i + k) + 1] = static_cast<real>(psi.data()[k].imag());
    }
  }
  return field;
}

} // namespace program
