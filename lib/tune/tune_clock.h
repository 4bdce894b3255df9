#pragma once
/// The clock for launch times, in seconds: the monotonic clock, unless a test replaces it.

namespace quda
{

double tune_clock();

/// Null restores the monotonic clock.
void set_tune_clock(double (*seconds)());

} // namespace quda
