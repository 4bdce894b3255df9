/// Contractions of two spinors at one site; the first is conjugated.
///   open     : C(a, b) = sum_c conj(x_{ac}) y_{bc}, spins in the DeGrand-Rossi basis
///   bilinears: B_G = x^dag Gamma_G y, sixteen G, entries 11 and 15 as QUDA has them or sigma_13 and sigma_34
#pragma once

#include <array>

#include "reference/dirac/gamma.h"

namespace reference
{

using Bilinears = std::array<Complex, 16>;

inline SpinMatrix open_contraction(const Spinor &x, const Spinor &y) { return x.conjugate() * y.transpose(); }

/// Gamma_G in a basis: 1, gamma_mu, gamma5, gamma5 gamma_mu, sigma_{mu nu} = (i / 2) [gamma_mu, gamma_nu] for
/// (12), (13), (14), (23), (24), (34). Unless `corrected`, number 11 is -i gamma5 gamma_4 and number 15 is -gamma5.
inline SpinMatrix contraction_gamma(int G, bool corrected, Basis basis = Basis::degrand_rossi)
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

/// All sixteen matrices, to be made once.
inline std::array<SpinMatrix, 16> contraction_gammas(bool corrected, Basis basis = Basis::degrand_rossi)
{
  std::array<SpinMatrix, 16> all;
  for (int G = 0; G < 16; G++) all[G] = contraction_gamma(G, corrected, basis);
  return all;
}

/// x^dag Gamma_G y, spinors and matrices in one basis.
inline Bilinears bilinears(const Spinor &x, const Spinor &y, const std::array<SpinMatrix, 16> &gammas)
{
  const SpinMatrix open = open_contraction(x, y);
  Bilinears b;
  for (int G = 0; G < 16; G++) b[G] = gammas[G].cwiseProduct(open).sum();
  return b;
}

} // namespace reference
