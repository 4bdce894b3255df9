#include "reference/contract/sitewise.h"

namespace reference
{

SpinMatrix open_contraction(const Spinor &x, const Spinor &y) { return x.conjugate() * y.transpose(); }

SpinMatrix contraction_gamma(int G, bool corrected, Basis basis)
{
  const Complex i(0, 1);
  if (!corrected && G == 11) return -i * gamma5(basis) * gamma(basis, 3);
  if (!corrected && G == 15) return -gamma5(basis);
  if (G == 0) return SpinMatrix::Identity();
  if (G <= 4) return gamma(basis, G - 1);
  if (G == 5) return gamma5(basis);
  if (G <= 9) return gamma5(basis) * gamma(basis, G - 6);
  constexpr int plane[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const SpinMatrix a = gamma(basis, plane[G - 10][0]), b = gamma(basis, plane[G - 10][1]);
  return 0.5 * i * (a * b - b * a);
}

std::array<SpinMatrix, 16> contraction_gammas(bool corrected, Basis basis)
{
  std::array<SpinMatrix, 16> all;
  for (int G = 0; G < 16; G++) all[G] = contraction_gamma(G, corrected, basis);
  return all;
}

Bilinears bilinears(const Spinor &x, const Spinor &y, const std::array<SpinMatrix, 16> &gammas)
{
  const SpinMatrix open = open_contraction(x, y);
  Bilinears b;
  for (int G = 0; G < 16; G++) b[G] = gammas[G].cwiseProduct(open).sum();
  return b;
}

} // namespace reference
