#include "reference/multigrid/blocks.h"

namespace reference
{

Lattice coarse_lattice(const Lattice &fine, const Coords &block)
{
  Coords X;
  for (int d = 0; d < 4; d++) X[d] = fine.X[d] / block[d];
  return Lattice(X);
}

CoarseVector restrict_blocks(const std::vector<Spinors> &V, const Spinors &in, const Lattice &fine, const Coords &block,
                             const Coords &lo, const Coords &hi)
{
  const Lattice coarse = coarse_lattice(fine, block);
  CoarseVector c(coarse.volume() * 2 * V.size());
  for (std::size_t slot = 0; slot < fine.volume(); slot++) {
    const Coords x = fine.coords(slot);
    Coords a;
    bool inside = true;
    for (int d = 0; d < 4; d++) {
      a[d] = x[d] / block[d];
      inside = inside && x[d] % block[d] >= lo[d] && x[d] % block[d] < hi[d];
    }
    if (!inside) continue;
    for (std::size_t i = 0; i < V.size(); i++)
      for (int s = 0; s < 4; s++)
        for (int k = 0; k < 3; k++)
          c[(coarse.slot(a) * 2 + s / 2) * V.size() + i] += std::conj(V[i][slot](s, k)) * in[slot](s, k);
  }
  return c;
}

CoarseVector restrict_blocks(const std::vector<Spinors> &V, const Spinors &in, const Lattice &fine, const Coords &block)
{
  return restrict_blocks(V, in, fine, block, {0, 0, 0, 0}, block);
}

Spinors prolong_blocks(const std::vector<Spinors> &V, const CoarseVector &c, const Lattice &fine, const Coords &block)
{
  const Lattice coarse = coarse_lattice(fine, block);
  Spinors psi(fine.volume());
  for (std::size_t slot = 0; slot < fine.volume(); slot++) {
    Coords a = fine.coords(slot);
    for (int d = 0; d < 4; d++) a[d] /= block[d];
    psi[slot].setZero();
    for (std::size_t i = 0; i < V.size(); i++)
      for (int s = 0; s < 4; s++)
        psi[slot].row(s) += c[(coarse.slot(a) * 2 + s / 2) * V.size() + i] * V[i][slot].row(s);
  }
  return psi;
}

Spinors chirality(const Spinors &psi, int X)
{
  Spinors part = psi;
  for (Spinor &spinor : part)
    for (int s = 0; s < 4; s++)
      if (s / 2 != X) spinor.row(s).setZero();
  return part;
}

} // namespace reference
