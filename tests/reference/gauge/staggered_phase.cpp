#include "reference/gauge/staggered_phase.h"

#include <cmath>

namespace reference
{

namespace
{

  double staggered_sign(StaggeredPhases type, int mu, const Coords &at)
  {
    const int x = at[0], y = at[1], z = at[2], t = at[3];
    const int milc[4] = {t, t + x, t + x + y, 0};
    const int chroma[4] = {1, 1 + x, 1 + x + y, 1 + x + y + z};
    const int tifr[4] = {3 + t + z + y, 2 + t + z, 1 + t, 0};
    const int *power = type == StaggeredPhases::milc ? milc : type == StaggeredPhases::chroma ? chroma : tifr;
    return power[mu] % 2 == 0 ? 1 : -1;
  }

} // namespace

GaugeField staggered(const GaugeField &gauge, StaggeredPhases type, int t_boundary, double i_mu, int put)
{
  const Lattice &lattice = gauge.lattice;
  GaugeField out = gauge;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      out.U[mu][slot] *= staggered_sign(type, mu, x);
      if (mu == 3 && x[3] == lattice.X[3] - 1) out.U[mu][slot] *= t_boundary;
      if (mu == 3 && i_mu != 0) out.U[mu][slot] *= std::polar(1.0, put * M_PI * i_mu / lattice.X[3]);
    }
  return out;
}

} // namespace reference
