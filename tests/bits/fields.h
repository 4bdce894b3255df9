#pragma once
/// One rank's part of host fields, as the C interface takes them, and what is kept of their bits.
///
/// fingerprint : sum over all sites of the lattice of f(global site, bits of the site's numbers), modulo 2^64. Which
///               rank holds a site does not matter, every bit of every number does (the sign of a zero, too).
/// Single-precision numbers count as the doubles of the same value.

#include <mpi.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "reference/lattice.h"

namespace bits
{

using Words = std::vector<std::uint64_t>;

inline std::uint64_t mixed(std::uint64_t x) // splitmix64
{
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline void sum_over_ranks(Words &words)
{
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

inline std::uint64_t word(double x) { return std::bit_cast<std::uint64_t>(x); }

inline Words words(const double *x, int n)
{
  Words all;
  for (int i = 0; i < n; i++) all.push_back(word(x[i]));
  return all;
}

/// The sites of one rank: this part of the global lattice, all of it or one parity.
struct Sites {
  reference::Lattice global;
  reference::Part part;

  std::size_t count() const { return part.local.volume(); }
  std::size_t half() const { return part.local.half(); }
  std::uint64_t global_index(std::size_t slot) const { return global.lexicographic(part.global_coords(slot)); }
};

/// Adds what an array of n numbers a site says; slots first_slot, first_slot + 1, ...
template <class real> void add_fingerprint(std::uint64_t &sum, const Sites &sites, const std::vector<real> &field,
                                           std::size_t n, std::size_t first_slot = 0, std::uint64_t which = 0)
{
  for (std::size_t i = 0; i < field.size() / n; i++) {
    std::uint64_t site = mixed(sites.global_index(first_slot + i) ^ (which << 48));
    for (std::size_t k = 0; k < n; k++) site = mixed(site ^ word(static_cast<double>(field[i * n + k])));
    sum += site;
  }
}

template <class real>
Words fingerprint(const Sites &sites, const std::vector<real> &field, std::size_t n, std::size_t first_slot = 0)
{
  Words sum(1, 0);
  add_fingerprint(sum[0], sites, field, n, first_slot);
  sum_over_ranks(sum);
  return sum;
}

/// Four arrays in QDP order: links (18 numbers a site) or momenta (10).
template <class real> struct FourArrays {
  FourArrays(const Sites &sites, std::size_t n)
      : n(n)
  {
    for (auto &array : arrays) array.assign(n * sites.count(), 0);
  }
  void *pointer()
  {
    for (int mu = 0; mu < 4; mu++) pointers[mu] = arrays[mu].data();
    return pointers;
  }

  std::size_t n;
  std::vector<real> arrays[4];
  void *pointers[4];
};

template <class real> Words fingerprint(const Sites &sites, const FourArrays<real> &field)
{
  Words sum(1, 0);
  for (int mu = 0; mu < 4; mu++) add_fingerprint(sum[0], sites, field.arrays[mu], field.n, 0, mu + 1);
  sum_over_ranks(sum);
  return sum;
}

/// Numbers in [-1, 1) that both precisions hold, a function of seed, global site and place in the site.
template <class real> std::vector<real> random_numbers(const Sites &sites, std::size_t n, std::uint64_t seed,
                                                       std::size_t first_slot, std::size_t slots)
{
  std::vector<real> field(n * slots);
  for (std::size_t i = 0; i < slots; i++)
    for (std::size_t k = 0; k < n; k++) {
      const std::uint64_t z = mixed(mixed(sites.global_index(first_slot + i) * n + k) + seed);
      field[i * n + k] = static_cast<real>(static_cast<double>(z >> 40) / 8388608 - 1);
    }
  return field;
}

/// The n numbers of one global site, wherever it lies; the field's slots begin with first_slot.
template <class real> Words numbers_at(const Sites &sites, const std::vector<real> &field, std::size_t n,
                                       std::size_t first_slot, const reference::Coords &x)
{
  Words found(n, 0);
  for (std::size_t i = 0; i < field.size() / n; i++)
    if (sites.part.global_coords(first_slot + i) == x)
      for (std::size_t k = 0; k < n; k++) found[k] = word(static_cast<double>(field[i * n + k]));
  sum_over_ranks(found);
  return found;
}

} // namespace bits
