#include "reference/contract/distillation.h"

#include <cmath>

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

std::vector<Complex> elementals(const std::vector<SpinVectors<1>> &left, const std::vector<SpinVectors<1>> &right,
                                const std::vector<std::array<int, 3>> &modes, const Lattice &lattice)
{
  const std::size_t slices = lattice.X[3], pairs = left.size() * right.size();
  std::vector<Complex> sums(modes.size() * slices * pairs);
  for (std::size_t m = 0; m < modes.size(); m++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      double turns = 0;
      for (int d = 0; d < 3; d++) turns += static_cast<double>(modes[m][d]) * x[d] / lattice.X[d];
      const Complex wave = std::polar(1.0, -2 * M_PI * turns);
      for (std::size_t i = 0; i < left.size(); i++)
        for (std::size_t j = 0; j < right.size(); j++)
          sums[(m * slices + x[3]) * pairs + i * right.size() + j] +=
              wave * left[i][slot].conjugate().cwiseProduct(right[j][slot]).sum();
    }
  return sums;
}

} // namespace reference
