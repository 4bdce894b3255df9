/// Matrices in the fifth dimension of domain-wall fermions. All of them are polynomials of one shift,
///   (T psi)_s = P_+ psi_{s-1} + P_- psi_{s+1}, psi_{-1} = -mass psi_{Ls-1}, psi_Ls = -mass psi_0,
/// P_+- = (1 +- gamma5) / 2, gamma5 = diag(1, 1, -1, -1), and T^Ls = -mass, so that inverses are polynomials too.
/// The domain-wall hop in s is 2 T; M5 is 1 - 2 kappa5 T or, of Moebius fermions, 1 + (kappa_b / kappa_c) T; what
/// stands before their hop is b + c T.
#pragma once

#include <vector>

#include "fields/color_spinor_field.h"

namespace quda
{

/// sum_d c_d T^d, or its adjoint.
struct FifthMatrix {
  std::vector<double> c;
  double mass = 0;
  bool dagger = false;

  FifthMatrix adjoint() const { return {c, mass, !dagger}; }
  /// The inverse on Ls slices of a matrix of the form c_0 + c_1 T. bad_argument where there is none.
  FifthMatrix inverse(int Ls) const;
};

/// out = matrix in. in, out: native spinors of 4 spins and 3 colors, of one shape and precision, fifth() slices, 1 to
/// 32 and not less than the matrix has terms; out may be in. Collective: while its kernels are tuned.
void apply_fifth(ColorSpinorField &out, const ColorSpinorField &in, const FifthMatrix &matrix);

} // namespace quda
