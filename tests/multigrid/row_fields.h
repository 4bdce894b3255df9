#pragma once
/// Row fields of random numbers that depend on the global site alone, and products with matrices as plain loops.

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "ops/multigrid/row_product.h"
#include "ops/multigrid/rows.h"

namespace row_fields
{

using Complex = std::complex<double>;

/// Uniform in the square of half width 1, by SplitMix64.
inline Complex random_number(std::uint64_t seed, std::uint64_t site, std::uint64_t n)
{
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + site * 0xd1342543de82ef95u + n * 0xda942042e4dd58b5u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return {static_cast<double>(static_cast<std::uint32_t>(z)) * 0x1p-31 - 1,
          static_cast<double>(static_cast<std::uint32_t>(z >> 32)) * 0x1p-31 - 1};
}

/// Lexicographic number of a site of the rank, which may lie beyond it, on the global lattice.
inline std::uint64_t global_site(const quda::Lattice &lattice, const int x[4])
{
  std::uint64_t site = 0;
  for (int d = 3; d >= 0; d--) {
    const long long X = lattice.global_X()[d];
    site = site * static_cast<std::uint64_t>(X) + static_cast<std::uint64_t>((lattice.origin()[d] + x[d] + X) % X);
  }
  return site;
}

/// Number n of a global site.
using Numbers = std::function<Complex(std::uint64_t site, std::uint64_t n)>;
inline Numbers random_numbers(std::uint64_t seed)
{
  return [seed](std::uint64_t site, std::uint64_t n) { return random_number(seed, site, n); };
}

/// Sites of a field in the order of arrays of the host.
template <class Body> void for_sites(const quda::ColorSpinorField &field, const Body &body)
{
  const quda::Lattice &lattice = field.lattice();
  const long long first = field.parities() == 2 || field.parity() == 0 ? 0 : lattice.volume_cb();
  for (long long n = 0; n < field.sites(); n++) {
    int x[4];
    lattice.slot_coordinates(first + n, x);
    body(static_cast<std::size_t>(n), x);
  }
}

inline quda::RowArray array_of(const quda::ColorSpinorField &field, int rows, const Numbers &numbers)
{
  const std::size_t of_site = static_cast<std::size_t>(field.rhs()) * rows;
  quda::RowArray all(static_cast<std::size_t>(field.sites()) * of_site);
  for_sites(field, [&](std::size_t n, const int x[4]) {
    const std::uint64_t site = global_site(field.lattice(), x);
    for (std::size_t k = 0; k < of_site; k++) all[n * of_site + k] = numbers(site, k);
  });
  return all;
}

inline void fill(quda::ColorSpinorField &field, int rows, const Numbers &numbers)
{
  from_host(field, rows, array_of(field, rows, numbers));
}

inline quda::ColorSpinorField random_rows(std::shared_ptr<const quda::Lattice> lattice, int rows,
                                          quda::Precision precision, int rhs, int parity, std::uint64_t seed)
{
  quda::ColorSpinorField field(row_shape(std::move(lattice), rows, precision, rhs, parity));
  fill(field, rows, random_numbers(seed));
  return field;
}

/// The coordinates of a leg's source: neighbours, or what else `Legs` was made from.
inline void neighbour(int leg, const int x[4], int y[4])
{
  for (int d = 0; d < 4; d++) y[d] = x[d];
  if (leg < 8) y[leg % 4] += leg < 4 ? 1 : -1;
}

inline double epsilon(quda::Precision precision)
{
  return precision == quda::Precision::double_ ? std::numeric_limits<double>::epsilon()
                                               : std::numeric_limits<float>::epsilon();
}

} // namespace row_fields
