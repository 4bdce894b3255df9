#include "bench/interrupt.h"

#include <csignal>

#include <signal.h>

#include "bench/ranks.h"

namespace quda::bench
{

namespace
{

  volatile std::sig_atomic_t caught = 0;

} // namespace

void watch_interrupt()
{
  struct sigaction action {
  };
  action.sa_handler = [](int) { caught = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND); // the second one acts as usual
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return of_first(caught) != 0; }

} // namespace quda::bench
