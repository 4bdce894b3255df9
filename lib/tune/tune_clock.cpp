#include "tune/tune_clock.h"

#include <chrono>

namespace quda
{

namespace
{

  double monotonic_seconds()
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  double (*clock_in_use)() = monotonic_seconds;

} // namespace

double tune_clock() { return clock_in_use(); }

void set_tune_clock(double (*seconds)()) { clock_in_use = seconds ? seconds : monotonic_seconds; }

} // namespace quda
