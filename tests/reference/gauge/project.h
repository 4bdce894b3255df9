/// The SU(3) matrix nearest to a matrix: the unitary factor of its singular value decomposition, divided by the
/// principal cube root of its determinant.
#pragma once

#include "reference/field.h"

namespace reference
{

/// The unitary factor alone, which keeps its phase.
Link unitary_factor(const Link &m);

Link projected(const Link &m);

GaugeField projected(const GaugeField &gauge);

} // namespace reference
