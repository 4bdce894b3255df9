#include "reference/gauge/plaquette.h"

namespace reference
{

double plaquette_trace(const GaugeField &gauge, const Coords &x, int mu, int nu)
{
  const Lattice &lattice = gauge.lattice;
  const Link there = gauge.at(mu, x) * gauge.at(nu, lattice.shifted(x, mu, 1));
  const Link back = gauge.at(nu, x) * gauge.at(mu, lattice.shifted(x, nu, 1));
  return (there * back.adjoint()).trace().real();
}

std::array<double, 3> plaquette(const GaugeField &gauge)
{
  double spatial = 0, temporal = 0;
#pragma omp parallel for reduction(+ : spatial, temporal)
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
    const Coords x = gauge.lattice.coords(slot);
    for (int nu = 1; nu < 4; nu++)
      for (int mu = 0; mu < nu; mu++) (nu == 3 ? temporal : spatial) += plaquette_trace(gauge, x, mu, nu);
  }
  const double norm = 9.0 * static_cast<double>(gauge.lattice.volume());
  return {(spatial + temporal) / (2 * norm), spatial / norm, temporal / norm};
}

} // namespace reference
