#pragma once
/// Two blocks of right-hand sides whose inner products cancel, and those in rational arithmetic.
///
/// Site s holds whole numbers of 2^bits times 2^e(s), exponents spread over a range, so the products of one site are
/// whole numbers that the precision holds. Site s + V/2 has the same x and the opposite y: nothing is left of them but
/// at eight sites with the smallest exponents, whose partners are zero. Those add up in integers of 128 bits.

#include "blas/fields.h"

#include <cmath>

namespace blas_tests
{

struct Cancelling {
  Shape shape;
  int bits, spread; // of the whole numbers; exponents lie in [-spread, spread]
};

inline int exponent_of(const Cancelling &c, const support::Place &place, std::size_t site)
{
  const std::size_t half = place.global.volume() / 2;
  if (site % half < 8) return -c.spread - static_cast<int>(site % 2);
  reference::SiteRandom random(77, site % half, 0);
  return static_cast<int>(std::floor((2 * random.uniform() - 1) * c.spread));
}

/// Whole number k of right-hand side i at a site; side 0 is x, 1 is y.
inline long long whole_number(const Cancelling &c, const support::Place &place, int side, int i, std::size_t site,
                              int k)
{
  const std::size_t half = place.global.volume() / 2;
  const bool second = site >= half;
  if (site % half < 8 && second) return 0;
  reference::SiteRandom random(78 + side, site % half, i);
  double u = 0;
  for (int skipped = 0; skipped <= k; skipped++) u = random.uniform();
  const auto m = static_cast<long long>(std::floor(u * static_cast<double>(2LL << c.bits))) - (1LL << c.bits);
  return side == 1 && second ? -m : m;
}

inline Numbers cancelling_numbers(const Cancelling &c, const support::Place &place, int side)
{
  const std::size_t half = place.part.local.half();
  const int reals = 2 * c.shape.spins * c.shape.colors;
  Numbers numbers;
  for (const int parity : {0, 1})
    for (int i = 0; i < c.shape.rhs; i++)
      for (std::size_t x = 0; x < half; x++) {
        const std::size_t site = place.global.lexicographic(place.part.global_coords(parity * half + x));
        for (int k = 0; k < reals; k++)
          numbers.push_back(
              std::ldexp(static_cast<double>(whole_number(c, place, side, i, site, k)), exponent_of(c, place, site)));
      }
  return numbers;
}

/// <x_i, y_j>, rounded once.
inline std::complex<double> cancelled(const Cancelling &c, const support::Place &place, int i, int j)
{
  __int128 re = 0, im = 0;
  const int lowest = -c.spread - 1;
  for (std::size_t site = 0; site < 8; site++) {
    const int shift = 2 * (exponent_of(c, place, site) - lowest);
    for (int k = 0; k < c.shape.spins * c.shape.colors; k++) {
      const auto number = [&](int side, int rhs, int part) {
        return static_cast<__int128>(whole_number(c, place, side, rhs, site, 2 * k + part));
      };
      re += (number(0, i, 0) * number(1, j, 0) + number(0, i, 1) * number(1, j, 1)) << shift;
      im += (number(0, i, 0) * number(1, j, 1) - number(0, i, 1) * number(1, j, 0)) << shift;
    }
  }
  return {std::ldexp(static_cast<double>(re), 2 * lowest), std::ldexp(static_cast<double>(im), 2 * lowest)};
}

inline const Cancelling cancelling[] = {{{4, 3, 16, -1, quda::Precision::double_}, 20, 300},
                                        {{1, 3, 16, -1, quda::Precision::single}, 8, 25}};

} // namespace blas_tests
