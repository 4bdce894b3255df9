#pragma once
/// Time that this rank waits for others, by cause; print_profiles() shows it (core/profile.h).
/// One thread at a time. Collective: no.

namespace quda
{

enum class Wait : int {
  halo, ///< for the neighbours' records, after all work that does not need them
  sum   ///< for sums over all ranks
};

struct WaitTime {
  long long calls = 0;
  double seconds = 0;
};

WaitTime wait_time(Wait what);
void reset_wait_times();
/// Prints a line through the log for each cause of waiting that occurred.
void print_wait_times();

/// Measures the time to the end of the scope.
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
