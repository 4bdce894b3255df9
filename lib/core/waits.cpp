#include "core/waits.h"

#include <chrono>

#include "core/log.h"

namespace quda
{

namespace
{

  constexpr const char *names[] = {"halos", "sums over ranks"};
  WaitTime times[2];

  double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

WaitTime wait_time(Wait what) { return times[static_cast<int>(what)]; }

void reset_wait_times()
{
  for (WaitTime &time : times) time = {};
}

void print_wait_times()
{
  for (int i = 0; i < 2; i++)
    if (times[i].calls > 0)
      print(Verbosity::summarize, "   waited for %-15s = %9.3f secs,\t with %8lld calls at %6.3e us per call\n",
            names[i], times[i].seconds, times[i].calls, 1e6 * times[i].seconds / static_cast<double>(times[i].calls));
}

WaitScope::WaitScope(Wait what)
    : what_(what)
    , start_(now())
{
}

WaitScope::~WaitScope()
{
  WaitTime &time = times[static_cast<int>(what_)];
  time.calls++;
  time.seconds += now() - start_;
}

} // namespace quda
