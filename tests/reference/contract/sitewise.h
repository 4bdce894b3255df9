/// Contractions of two spinors at one site; the first is conjugated.
///   open     : C(a, b) = sum_c conj(x_{ac}) y_{bc}, spins in the DeGrand-Rossi basis
///   bilinears: B_G = x^dag Gamma_G y, sixteen G, entries 11 and 15 as QUDA has them or sigma_13 and sigma_34
#pragma once

#include <array>

#include "reference/dirac/gamma.h"

namespace reference
{

using Bilinears = std::array<Complex, 16>;

SpinMatrix open_contraction(const Spinor &x, const Spinor &y);

/// Gamma_G in a basis: 1, gamma_mu, gamma5, gamma5 gamma_mu, sigma_{mu nu} = (i / 2) [gamma_mu, gamma_nu] for
/// (12), (13), (14), (23), (24), (34). Unless `corrected`, number 11 is -i gamma5 gamma_4 and number 15 is -gamma5.
SpinMatrix contraction_gamma(int G, bool corrected, Basis basis = Basis::degrand_rossi);

/// All sixteen matrices, to be made once.
std::array<SpinMatrix, 16> contraction_gammas(bool corrected, Basis basis = Basis::degrand_rossi);

/// x^dag Gamma_G y, spinors and matrices in one basis.
Bilinears bilinears(const Spinor &x, const Spinor &y, const std::array<SpinMatrix, 16> &gammas);

} // namespace reference
