#pragma once
/// Process grids that tests on several ranks go through, and results that are, to the bit, those of one process.

#include <complex>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include <gtest/gtest.h>

#include "comms/communicator.h"
#include "support/host_links.h"
#include "support/native_fields.h"

namespace support
{

using Grid = reference::Coords;

inline int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

inline int rank()
{
  int n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &n);
  return n;
}

inline double sum_over_ranks(double x)
{
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

/// 1 rank: the trivial grid; 2: each direction; 4: two directions at a time and one alone.
inline std::vector<Grid> grids_of(int ranks)
{
  if (ranks == 1) return {{1, 1, 1, 1}};
  if (ranks == 2) return {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}};
  if (ranks == 4) return {{2, 2, 1, 1}, {1, 1, 2, 2}, {2, 1, 1, 2}, {1, 1, 1, 4}};
  return {};
}

/// Where a rank stands: t runs fastest, or x.
inline reference::Coords coordinates(const Grid &grid, int of_rank, bool x_fastest = false)
{
  reference::Coords c;
  for (int i = 0; i < 4; i++) {
    const std::size_t d = static_cast<std::size_t>(x_fastest ? i : 3 - i);
    c[d] = of_rank % grid[d];
    of_rank /= grid[d];
  }
  return c;
}

inline reference::Part part_on(const Grid &grid, const reference::Lattice &global, bool x_fastest = false)
{
  return reference::Part(global, grid, coordinates(grid, rank(), x_fastest));
}

/// The grid in the failures of a scope.
inline testing::Message named(const Grid &grid)
{
  return testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3];
}

/// Runs body(communicator, grid) for each grid of all ranks.
template <class Body> void on_grids(const Body &body)
{
  for (const Grid &grid : grids_of(ranks())) {
    SCOPED_TRACE(named(grid));
    body(quda::make_communicator(grid.data()), grid);
  }
}

/// A rank's part of a field on the whole lattice: (parity, entry, site, number), both parities or one.
template <class T> std::vector<T> part_of(const std::vector<T> &whole, const reference::Lattice &global,
                                          const reference::Part &part, int parity = -1, int entries = 1)
{
  std::vector<T> mine;
  const std::size_t half = part.local.half(), whole_half = global.half(), n = static_cast<std::size_t>(entries);
  const std::size_t reals = whole.size() / (whole_half * n * (parity < 0 ? 2 : 1));
  for (std::size_t p = parity == 1; p < (parity == 0 ? 1u : 2u); p++)
    for (std::size_t i = 0; i < n; i++)
      for (std::size_t x = 0; x < half; x++) {
        const std::size_t there = global.slot(part.global_coords(p * half + x)) - p * whole_half;
        const auto from =
            whole.begin() + static_cast<std::ptrdiff_t>(reals * (((parity < 0 ? p : 0) * n + i) * whole_half + there));
        mine.insert(mine.end(), from, from + static_cast<std::ptrdiff_t>(reals));
      }
  return mine;
}

/// Numbers of a rank's sites: (parity, entry, site, number), both parities or one.
struct OfSites {
  std::vector<double> numbers;
  int parity = -1, entries = 1;
  std::optional<reference::Part> part = {}; // where it is of another lattice than the place
  std::string what = {};
};

/// Of complex numbers, those of a site one after the other.
inline OfSites of_rows(const std::vector<std::complex<double>> &numbers, int parity = -1)
{
  const auto *const reals = reinterpret_cast<const double *>(numbers.data());
  return {{reals, reals + 2 * numbers.size()}, parity};
}

/// What is computed on a place.
class Results
{
public:
  template <class... Found> explicit Results(const Found &...found) { (add(found), ...); }

  /// The same on all ranks.
  void add(double number) { everywhere_.push_back(number); }
  void add(std::complex<double> number) { everywhere_.insert(everywhere_.end(), {number.real(), number.imag()}); }
  template <class Number> void add(const std::vector<Number> &numbers)
  {
    for (const Number &number : numbers) add(number);
  }
  void add(const OfSites &field) { fields_.push_back(field); }
  void add(const quda::ColorSpinorField &field)
  {
    add(OfSites {host_array(field), field.parities() == 2 ? -1 : field.parity(), field.inner()});
  }
  void add(const reference::QdpLinks<double> &links)
  {
    for (const std::vector<double> &numbers : links) add(OfSites {numbers});
  }
  void add(const quda::GaugeField &links) { add(host_links(links)); }

  void expect_part_of(const Results &whole, const Place &place) const
  {
    EXPECT_TRUE(same_bits(everywhere_, whole.everywhere_)) << "numbers of all ranks";
    ASSERT_EQ(fields_.size(), whole.fields_.size());
    for (std::size_t k = 0; k < fields_.size(); k++) {
      const OfSites &mine = fields_[k], &all = whole.fields_[k];
      EXPECT_TRUE(same_bits(mine.numbers, part_of(all.numbers, all.part ? all.part->local : place.global,
                                                  mine.part ? *mine.part : place.part, all.parity, all.entries)))
          << "field " << k << " " << mine.what;
    }
  }

private:
  /// What is no number is equal to nothing.
  static bool same_bits(const std::vector<double> &a, const std::vector<double> &b)
  {
    return a == b && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }
  std::vector<double> everywhere_;
  std::vector<OfSites> fields_;
};

using Fits = std::function<bool(const Grid &)>;
inline bool any_grid(const Grid &) { return true; }

/// Expects of compute(place), Results or what they take, the bits of `whole` on each grid that fits; those of one process
/// where it is empty.
template <class Compute> void expect_bits_of(std::optional<Results> &whole, const reference::Lattice &global,
                                             const Compute &compute, const Fits &fits = any_grid)
{
  const auto results_on = [&](const Place &place) {
    if constexpr (std::is_same_v<decltype(compute(place)), Results>)
      return compute(place);
    else
      return Results(compute(place));
  };
  if (!whole) whole = results_on(Place(global, quda::make_single_communicator()));
  for (const Grid &grid : grids_of(ranks())) {
    if (!fits(grid)) continue;
    SCOPED_TRACE(named(grid));
    const Place place(global, quda::make_communicator(grid.data()));
    results_on(place).expect_part_of(*whole, place);
  }
}

template <class Compute>
void expect_bits_of_one_process(const reference::Lattice &global, const Compute &compute, const Fits &fits = any_grid)
{
  std::optional<Results> whole;
  expect_bits_of(whole, global, compute, fits);
}

/// The same on all targets; alike: with the bits of the first.
template <class Compute> void expect_bits_on_targets(const reference::Lattice &global, const Compute &compute,
                                                     bool alike = true, const Fits &fits = any_grid)
{
  std::optional<Results> whole;
  on_targets([&] {
    if (!alike) whole.reset();
    expect_bits_of(whole, global, compute, fits);
  });
}

} // namespace support
