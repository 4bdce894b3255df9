/// Staggered operators, written from their formulas: phases, boundary signs and coefficients are in the links.
#pragma once

#include "reference/dirac/covariant.h"
#include "reference/random.h"

namespace reference
{

using ColorVectors = SpinVectors<1>;

struct Staggered {
  const GaugeField &links;                // of one step
  const GaugeField *long_links = nullptr; // of three, where there are any

  /// D psi = sum_mu [ U_mu(x) psi(x + mu) - U_mu(x - mu)^dag psi(x - mu) ], and the same with long links.
  ColorVectors hop(const ColorVectors &psi) const
  {
    ColorVectors sum(psi.size(), SpinVector<1>::Zero());
    for (int mu = 0; mu < 4; mu++)
      for (const int sense : {+1, -1}) {
        sum = combined<1>(1, sum, sense, carried(links, psi, mu, sense));
        if (long_links) sum = combined<1>(1, sum, sense, carried(*long_links, psi, mu, sense, 3));
      }
    return sum;
  }

  /// M = 2 m - D, or 2 m + D.
  ColorVectors matrix(const ColorVectors &psi, double mass, bool dagger = false) const
  {
    return combined<1>(2 * mass, psi, dagger ? 1 : -1, hop(psi));
  }

  /// 4 m^2 - D D: of either parity alone M_pc, of both M^dag M.
  ColorVectors square(const ColorVectors &psi, double mass) const
  {
    return combined<1>(4 * mass * mass, psi, -1, hop(hop(psi)));
  }
};

/// Fat and long links as they might come: matrices of no property, larger than one, and much smaller ones.
inline GaugeField random_fat_links(const Lattice &lattice, std::uint64_t seed)
{
  return random_gauge(lattice, seed, Kind::general);
}
inline GaugeField random_long_links(const Lattice &lattice, std::uint64_t seed)
{
  GaugeField links = random_gauge(lattice, seed, Kind::general);
  for (auto &direction : links.U)
    for (Link &u : direction) u /= -24;
  return links;
}

/// Long links of unitary ones: -1/24 times SU(3) matrices with phases, some of them signs.
inline GaugeField random_unitary_long_links(const Lattice &lattice, std::uint64_t seed)
{
  GaugeField links = random_gauge(lattice, seed);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < links.U[mu].size(); slot++)
      links.U[mu][slot] *= std::polar(-1. / 24, slot % 5 == 0 ? M_PI * (slot % 2) : 0.37 * slot + mu);
  return links;
}

/// The largest difference of two host arrays, in units of the root mean square of the second.
inline double deviation(const std::vector<double> &a, const std::vector<double> &b)
{
  if (a.size() != b.size() || b.empty()) return INFINITY;
  double largest = 0, square = 0;
  for (std::size_t i = 0; i < b.size(); i++) {
    const double here = std::abs(a[i] - b[i]);
    if (!(here <= largest)) largest = here;
    square += b[i] * b[i];
  }
  return largest / std::sqrt(square / static_cast<double>(b.size()));
}

} // namespace reference
