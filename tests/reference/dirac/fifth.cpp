#include "reference/dirac/fifth.h"

namespace reference
{

FifthMatrix fifth_matrix(int Ls, double a, double b, double mass, bool dagger, Basis basis)
{
  const SpinMatrix one = SpinMatrix::Identity(), g5 = gamma5(basis);
  const SpinMatrix plus = (one + g5) / 2, minus = (one - g5) / 2;
  FifthMatrix M = a * FifthMatrix::Identity(4 * Ls, 4 * Ls);
  for (int s = 0; s < Ls; s++) {
    const int up = (s + 1) % Ls, down = (s + Ls - 1) % Ls;
    M.block<4, 4>(4 * s, 4 * up) += b * (s + 1 == Ls ? -mass : 1) * (dagger ? plus : minus);
    M.block<4, 4>(4 * s, 4 * down) += b * (s == 0 ? -mass : 1) * (dagger ? minus : plus);
  }
  return M;
}

Slices times(const FifthMatrix &M, const Slices &psi)
{
  Slices out(psi.size(), Spinors(psi[0].size(), Spinor::Zero()));
  for (std::size_t s = 0; s < psi.size(); s++)
    for (std::size_t t = 0; t < psi.size(); t++) {
      const SpinMatrix part = M.block<4, 4>(4 * s, 4 * t);
      for (std::size_t i = 0; i < psi[0].size(); i++) out[s][i] += part * psi[t][i];
    }
  return out;
}

} // namespace reference
