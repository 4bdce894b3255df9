#pragma once
/// Time that this rank waits for others, by what it waits for; print_profiles() shows it (core/profile.h).
/// One thread at a time. Collective: no.

namespace quda
{

enum class Wait : int {
  halo, ///< for the records of neighbours, after all that could be done without them
  sum   ///< for sums over all ranks
};

struct WaitTime {
  long long calls = 0;
  double seconds = 0;
};

WaitTime wait_time(Wait what);
void reset_wait_times();
/// A line each through the log, of those that were waited for.
void print_wait_times();

/// Counts from here to the end of the scope.
class WaitScope
{
public:
  explicit WaitScope(Wait what);
  ~WaitScope();
  WaitScope(const WaitScope &) = delete;
  WaitScope &operator=(const WaitScope &) = delete;

private:
  Wait what_;
  double start_;
};

} // namespace quda
