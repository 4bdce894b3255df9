#pragma once
/// What the tests of transfers between grids share: fields of one rank on a lattice whose lanes hold whole blocks, from
/// spinors of the plain reference, and coarse numbers of its sites as the reference has them.

#include <cmath>
#include <vector>

#include "ops/multigrid/blocks.h"
#include "ops/multigrid/rows.h"
#include "reference/multigrid/blocks.h"
#include "reference/random.h"
#include "support/native_fields.h"

namespace blocks
{

using Vectors = std::vector<reference::Spinors>;

inline Vectors random_vectors(const reference::Lattice &lattice, int n, std::uint64_t seed)
{
  Vectors all;
  for (int i = 0; i < n; i++) all.push_back(reference::random_spinors(lattice, seed + static_cast<std::uint64_t>(i)));
  return all;
}

/// A rank's fine lattice and coarse one.
struct Grids {
  support::Place fine, coarse;
  reference::Coords block;

  Grids(const reference::Lattice &global, const reference::Coords &block, std::shared_ptr<quda::Communicator> comm)
      : fine(global, comm, 1)
      , coarse(reference::coarse_lattice(global, block), comm, 1)
      , block(block)
  {
    fine.lattice = quda::Lattice::blocked(fine.part.local.X.data(), comm, block.data());
    coarse.lattice = quda::Lattice::rows(coarse.part.local.X.data(), comm);
  }

  quda::ColorSpinorField rows(int n_vec, quda::Precision precision, int rhs, int parity = -1) const
  {
    return quda::ColorSpinorField(quda::row_shape(coarse.lattice, 2 * n_vec, precision, rhs, parity));
  }
};

inline quda::Precision of_fields(quda::Precision of_V)
{
  return of_V == quda::Precision::double_ ? of_V : quda::Precision::single;
}

/// Right-hand sides from spinors, all sites or those of a parity.
inline quda::ColorSpinorField native(const support::Place &place, const Vectors &psi, quda::Precision precision,
                                     int parity = -1)
{
  quda::ColorSpinorField field = support::native_spinors(place, precision, parity, static_cast<int>(psi.size()));
  for (std::size_t j = 0; j < psi.size(); j++) {
    quda::ColorSpinorField column = field.columns(static_cast<int>(j), 1);
    support::set_from(column, place, psi[j]);
  }
  return field;
}

/// And back, on one rank: what the field holds of both parities.
inline Vectors spinors(const quda::ColorSpinorField &field)
{
  Vectors all;
  for (int j = 0; j < field.rhs(); j++)
    all.push_back(reference::from_host(support::host_array(field.columns(j, 1)), true));
  return all;
}

/// Of one rank: numbers in the order (slot, row) of right-hand side j.
inline reference::CoarseVector coarse_numbers(const quda::ColorSpinorField &field, int n_vec, int j)
{
  const std::size_t rows = 2 * static_cast<std::size_t>(n_vec), rhs = static_cast<std::size_t>(field.rhs());
  const quda::RowArray all = quda::to_host(field, 2 * n_vec);
  reference::CoarseVector c;
  for (std::size_t slot = 0; slot < all.size() / (rhs * rows); slot++) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>((slot * rhs + static_cast<std::size_t>(j)) * rows);
    c.insert(c.end(), first, first + static_cast<std::ptrdiff_t>(rows));
  }
  return c;
}

/// The largest difference, relative to the root mean square of b; NaN comes through.
inline double deviation(const reference::CoarseVector &a, const reference::CoarseVector &b)
{
  if (a.size() != b.size() || b.empty()) return INFINITY;
  double largest = 0, squares = 0;
  for (std::size_t k = 0; k < b.size(); k++) {
    const double here = std::abs(a[k] - b[k]);
    if (!(here <= largest)) largest = here;
    squares += std::norm(b[k]);
  }
  return largest / std::sqrt(squares / static_cast<double>(b.size()));
}

/// Numbers of a row field that depend on global coarse site, right-hand side and row alone.
inline quda::RowArray random_rows(const support::Place &coarse, int n_vec, int rhs, std::uint64_t seed)
{
  quda::RowArray numbers;
  for (std::size_t slot = 0; slot < coarse.part.local.volume(); slot++) {
    const std::uint64_t site = coarse.global.lexicographic(coarse.part.global_coords(slot));
    for (int j = 0; j < rhs; j++) {
      reference::SiteRandom random(seed, site, static_cast<std::uint64_t>(j));
      for (int row = 0; row < 2 * n_vec; row++) numbers.push_back(random.gaussian());
    }
  }
  return numbers;
}

} // namespace blocks
