/// The site term of twisted-mass fermions, from gamma matrices: of a doublet (1 + i a gamma5 tau3 + b tau1) psi, of one
/// flavour (1 + i a gamma5) psi.
#pragma once

#include <array>

#include "reference/dirac/gamma.h"

namespace reference
{

using Doublet = std::array<Spinors, 2>;

inline Spinors twist(const Spinors &psi, double a, Basis basis = Basis::degrand_rossi)
{
  return applied(SpinMatrix::Identity() + Complex(0, a) * gamma5(basis), psi);
}

inline Doublet twist(const Doublet &psi, double a, double b, Basis basis = Basis::degrand_rossi)
{
  Doublet out = {twist(psi[0], a, basis), twist(psi[1], -a, basis)};
  for (int f = 0; f < 2; f++)
    for (std::size_t i = 0; i < psi[f].size(); i++) out[f][i] += b * psi[1 - f][i];
  return out;
}

} // namespace reference
