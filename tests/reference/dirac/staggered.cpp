#include "reference/dirac/staggered.h"

#include <cmath>

#include "reference/random.h"

namespace reference
{

ColorVectors Staggered::hop(const ColorVectors &psi) const
{
  ColorVectors sum(psi.size(), SpinVector<1>::Zero());
  for (int mu = 0; mu < 4; mu++)
    for (const int sense : {+1, -1}) {
      sum = combined<1>(1, sum, sense, carried(links, psi, mu, sense));
      if (long_links) sum = combined<1>(1, sum, sense, carried(*long_links, psi, mu, sense, 3));
    }
  return sum;
}

ColorVectors Staggered::matrix(const ColorVectors &psi, double mass, bool dagger) const
{
  return combined<1>(2 * mass, psi, dagger ? 1 : -1, hop(psi));
}

ColorVectors Staggered::square(const ColorVectors &psi, double mass) const
{
  return combined<1>(4 * mass * mass, psi, -1, hop(hop(psi)));
}

GaugeField random_fat_links(const Lattice &lattice, std::uint64_t seed)
{
  return random_gauge(lattice, seed, Kind::general);
}

GaugeField random_long_links(const Lattice &lattice, std::uint64_t seed)
{
  GaugeField links = random_gauge(lattice, seed, Kind::general);
  for (auto &direction : links.U)
    for (Link &u : direction) u /= -24;
  return links;
}

GaugeField random_unitary_long_links(const Lattice &lattice, std::uint64_t seed)
{
  GaugeField links = random_gauge(lattice, seed);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < links.U[mu].size(); slot++)
      links.U[mu][slot] *= std::polar(-1. / 24, slot % 5 == 0 ? M_PI * (slot % 2) : 0.37 * slot + mu);
  return links;
}

double deviation(const std::vector<double> &a, const std::vector<double> &b)
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
