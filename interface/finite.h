#pragma once

/// Are a caller's numbers numbers?

#include "core/types.h"

namespace quda
{

/// Index of the first real that is NaN or infinite, -1 if there is none. reals: single or double, in any memory the
/// target in use can reach. period: the last of each so many reals is not looked at; 0: all are. Collective: no.
long long first_not_finite(const void *reals, long long count, Precision precision, int period = 0);

} // namespace quda
