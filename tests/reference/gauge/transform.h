/// Gauge transformations: U_mu(x) -> g(x) U_mu(x) g(x+mu)^dag, psi(x) -> g(x) psi(x), with SU(3) matrices g at the
/// slots.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/field.h"
#include "reference/random.h"

namespace reference
{

using Rotation = std::vector<Link>;

inline Rotation random_rotation(const Lattice &lattice, std::uint64_t seed)
{
  Rotation g(lattice.volume());
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    g[slot] = random_link(Kind::su3, seed, lattice.lexicographic(lattice.coords(slot)), 32);
  return g;
}

/// length: steps from one end of a link to the other.
inline GaugeField transformed(const GaugeField &gauge, const Rotation &g, int length = 1)
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

/// A matrix acts on the colour index, the columns of a Spinor, so it stands transposed on the right.
inline Spinors transformed(const Spinors &psi, const Rotation &g)
{
  Spinors out(psi.size());
  for (std::size_t slot = 0; slot < psi.size(); slot++) out[slot] = psi[slot] * g[slot].transpose();
  return out;
}

} // namespace reference
