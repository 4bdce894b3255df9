#pragma once
/// The clock that launches are timed by, in seconds: the monotonic clock, unless a test puts its own in its place.

namespace quda
{

double tune_clock();

/// Null for the monotonic clock again.
void set_tune_clock(double (*seconds)());

} // namespace quda
