/// The fifth dimension of domain-wall fermions, slice by slice:
///   (D5 psi)_s = 2 P_- psi_{s+1} + 2 P_+ psi_{s-1}, psi_Ls = -mass psi_0, psi_{-1} = -mass psi_{Ls-1},
/// P_+- = (1 +- gamma5) / 2; the adjoint has P_+ and P_- exchanged. a + b D5 / 2 as a matrix of 4 Ls rows, row 4 s +
/// spin.
#pragma once

#include <vector>

#include "reference/dirac/gamma.h"

namespace reference
{

using Slices = std::vector<Spinors>; // s
using FifthMatrix = Eigen::MatrixXcd;

FifthMatrix fifth_matrix(int Ls, double a, double b, double mass, bool dagger, Basis basis = Basis::degrand_rossi);

Slices times(const FifthMatrix &M, const Slices &psi);

} // namespace reference
