/// The algebra of SU(3): projection onto it, and the exponential.
#pragma once

#include "reference/field.h"

namespace reference
{

/// (M - M^dag) / 2 less a third of its trace
Link traceless_anti_hermitian(const Link &m);

/// exp M: the power series of M / 16, squared four times.
Link exponential(const Link &m);

} // namespace reference
