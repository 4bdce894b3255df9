#include "reference/gauge/field_strength.h"

#include <array>
#include <cmath>

#include "reference/smear/stout.h"

namespace reference
{

Link field_strength(const GaugeField &gauge, const Coords &x, int mu, int nu)
{
  Link q = path(gauge, x, {{mu, +1}, {nu, +1}, {mu, -1}, {nu, -1}});
  q += path(gauge, x, {{nu, +1}, {mu, -1}, {nu, -1}, {mu, +1}});
  q += path(gauge, x, {{mu, -1}, {nu, -1}, {mu, +1}, {nu, +1}});
  q += path(gauge, x, {{nu, -1}, {mu, +1}, {nu, +1}, {mu, -1}});
  return (q - q.adjoint()) / 8.0;
}

Charge charge(const GaugeField &gauge)
{
  const Lattice &lattice = gauge.lattice;
  Charge result;
  result.density.resize(lattice.volume());
  std::vector<std::array<double, 2>> energy(lattice.volume());
#pragma omp parallel for
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    const Coords x = lattice.coords(slot);
    const int planes[6][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}};
    std::array<Link, 6> F;
    for (int i = 0; i < 6; i++) {
      F[i] = field_strength(gauge, x, planes[i][0], planes[i][1]);
      const Link traceless = F[i] - F[i].trace() / 3.0 * Link::Identity();
      energy[slot][i / 3] -= (traceless * traceless).trace().real();
    }
    const Complex sum = (F[0] * F[5]).trace() - (F[1] * F[4]).trace() + (F[2] * F[3]).trace();
    result.density[slot] = -sum.real() / (4 * M_PI * M_PI);
  }
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    result.charge += result.density[slot];
    result.spatial_energy += energy[slot][0] / static_cast<double>(lattice.volume());
    result.temporal_energy += energy[slot][1] / static_cast<double>(lattice.volume());
  }
  return result;
}

} // namespace reference
