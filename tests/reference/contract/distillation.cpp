#include "reference/contract/distillation.h"

namespace reference
{

std::vector<Complex> slice_products(const Propagator &vectors, const Propagator &quarks, const Lattice &lattice)
{
  const std::size_t slices = lattice.X[3];
  std::vector<Complex> sums(quarks.size() * vectors.size() * slices * 4);
  for (std::size_t q = 0; q < quarks.size(); q++)
    for (std::size_t e = 0; e < vectors.size(); e++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        for (int s = 0; s < 4; s++)
          for (int c = 0; c < 3; c++)
            sums[((q * vectors.size() + e) * slices + lattice.coords(slot)[3]) * 4 + s] +=
                std::conj(vectors[e][slot](0, c)) * quarks[q][slot](s, c);
  return sums;
}

} // namespace reference
