#pragma once

/// Are a caller's numbers numbers?

#include "core/types.h"

namespace quda
{

/// Reals in runs of `length`, the next run `stride` reals after the one before began.
struct RealRuns {
  const void *first;
  long long runs, length, stride;
};

/// Number of the first real that is NaN or infinite, counted over the runs without what lies between; -1 if there is
/// none. In single or double, in any memory the target in use can reach. period: the last of each so many reals is not
/// looked at; 0: all are. Collective: no.
long long first_not_finite(const RealRuns &runs, Precision precision, int period = 0);

/// The same of one run.
inline long long first_not_finite(const void *reals, long long count, Precision precision, int period = 0)
{
  return first_not_finite({reals, 1, count, count}, precision, period);
}

} // namespace quda
