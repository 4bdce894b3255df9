/// The staggered operator of a spin and a taste, shift by shift and sign by sign. Gammas are bits: x 1, y 2, z 4, t 8.
#pragma once

#include "reference/dirac/covariant.h"

namespace reference
{

SpinVectors<1> spin_taste(const GaugeField &gauge, const SpinVectors<1> &psi, int spin, int taste);

} // namespace reference
