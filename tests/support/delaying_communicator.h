#pragma once
/// A communicator that holds every message back: none is there before `delay` seconds have passed since this rank sent
/// its own. So with sums over the ranks, and `sum_delay`.

#include <chrono>

#include "support/counting_communicator.h"

namespace support
{

class DelayingCommunicator final : public CountingCommunicator
{
public:
  using CountingCommunicator::CountingCommunicator;

  double delay = 0;
  double sum_delay = 0;
  double held = 0; // seconds that callers stood waiting for what was held back

  quda::Request send_start(const void *data, std::size_t bytes, int d, int direction) override
  {
    sent_ = now();
    return CountingCommunicator::send_start(data, bytes, d, direction);
  }
  void sum(long long *v, int n) override
  {
    const double start = now();
    CountingCommunicator::sum(v, n);
    hold_until(start + sum_delay);
  }
  void max(long long *v, int n) override
  {
    const double start = now();
    CountingCommunicator::max(v, n);
    hold_until(start + sum_delay);
  }
  quda::Request sum_start(long long *v, int n) override
  {
    summed_ = now();
    quda::Request request = CountingCommunicator::sum_start(v, n);
    sum_ = request.state();
    return request;
  }
  void wait(quda::Request &request) override
  {
    const bool sums = request.pending() && request.state() == sum_;
    CountingCommunicator::wait(request);
    hold_until(sums ? summed_ + sum_delay : sent_ + delay);
  }

private:
  void hold_until(double time)
  {
    const double from = now();
    while (now() < time) {
    }
    held += now() - from;
  }

  static double now()
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  double sent_ = 0, summed_ = 0;
  const quda::Request::State *sum_ = nullptr; // the last one in the background
};

} // namespace support
