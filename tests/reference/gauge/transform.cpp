#include "reference/gauge/transform.h"

#include "reference/random.h"

namespace reference
{

Rotation random_rotation(const Lattice &lattice, std::uint64_t seed)
{
  Rotation g(lattice.volume());
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    g[slot] = random_link(Kind::su3, seed, lattice.lexicographic(lattice.coords(slot)), 32);
  return g;
}

GaugeField transformed(const GaugeField &gauge, const Rotation &g, int length)
{
  const Lattice &lattice = gauge.lattice;
  GaugeField out = gauge;
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    const Coords x = lattice.coords(slot);
    for (int mu = 0; mu < 4; mu++)
      out.U[mu][slot] =
          (g[slot] * gauge.U[mu][slot] * g[lattice.slot(lattice.shifted(x, mu, length))].adjoint()).eval();
  }
  return out;
}

Spinors transformed(const Spinors &psi, const Rotation &g)
{
  Spinors out(psi.size());
  for (std::size_t slot = 0; slot < psi.size(); slot++) out[slot] = psi[slot] * g[slot].transpose();
  return out;
}

} // namespace reference
