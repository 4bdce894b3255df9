#pragma once

/// Exact sums of doubles on the host, over the layout of core/exact_limbs.h.
///
/// The result is the correctly rounded (nearest, ties to even) sum of all numbers added, whatever their order, grouping
/// into accumulators and number of ranks: one bit pattern. Nothing is lost in between, so DBL_MAX + DBL_MAX - DBL_MAX
/// is DBL_MAX. A sum that is zero is +0. Any NaN, or infinities of both signs, give NaN; else an infinity comes
/// through. At most 2^63 numbers.
///
/// Collective: no. Over ranks: comms/replicated_sum.h.

#include "core/exact_limbs.h"

namespace quda
{

/// sum += x
void exact_add(ExactLimbs &sum, double x);

/// sum += other; other may be sum itself
void exact_merge(ExactLimbs &sum, const ExactLimbs &other);

/// Carries: every limb but the last goes to [0, 2^32), the last keeps the sign. Same value, unique form, weight 1.
void exact_normalise(ExactLimbs &sum);

/// The same value in digits of one sign: |limb| < 2^32 except for the last, zero above the leading digit. Weight 1.
void exact_signed_digits(ExactLimbs &sum);

/// The sum, rounded once.
double exact_value(const ExactLimbs &sum);

} // namespace quda
