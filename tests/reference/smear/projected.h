/// APE and HYP smearing, one step at a time, by their definitions: staples multiplied out, the singular value
/// decomposition as projection.
#pragma once

#include <array>

#include "reference/field.h"

namespace reference
{

/// The two staples of direction mu in the plane of mu and nu, sides of one field and the link beside of another.
Link staple_pair(const GaugeField &parallel, const GaugeField &sides, const Coords &x, int mu, int nu);

/// anisotropy: its square is a factor of staples with sides along t.
GaugeField ape(const GaugeField &gauge, double alpha, const std::array<bool, 4> &smeared, double anisotropy = 1);

/// alpha[0] belongs to the outermost level, alpha[2] to the innermost; of three directions alpha[0] is not used.
GaugeField hyp(const GaugeField &gauge, const std::array<double, 3> &alpha, const std::array<bool, 4> &smeared);

} // namespace reference
