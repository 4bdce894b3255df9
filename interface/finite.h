#pragma once

/// Checks that a caller's numbers are finite.

#include "core/types.h"

namespace quda
{

/// Reals in runs of `length`; consecutive runs begin `stride` reals apart.
struct RealRuns {
  const void *first;
  long long runs, length, stride;
};

/// Index of the first real that is NaN or infinite, counted over the runs without the gaps; -1 if there is none. Single
/// or double, in any memory that the target can reach. period: the last of every `period` reals is skipped; 0: none is.
/// Collective: no.
long long first_not_finite(const RealRuns &runs, Precision precision, int period = 0);

/// The same for one run.
inline long long first_not_finite(const void *reals, long long count, Precision precision, int period = 0)
{
  return first_not_finite({reals, 1, count, count}, precision, period);
}

} // namespace quda
