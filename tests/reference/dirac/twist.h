/// The site term of twisted-mass fermions, from gamma matrices: of a doublet (1 + i a gamma5 tau3 + b tau1) psi, of one
/// flavour (1 + i a gamma5) psi.
#pragma once

#include <array>

#include "reference/dirac/gamma.h"

namespace reference
{

using Doublet = std::array<Spinors, 2>;

Spinors twist(const Spinors &psi, double a, Basis basis = Basis::degrand_rossi);

Doublet twist(const Doublet &psi, double a, double b, Basis basis = Basis::degrand_rossi);

} // namespace reference
