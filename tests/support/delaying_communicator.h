#pragma once
/// A communicator that holds every message back: none is there before `delay` seconds have passed since this rank sent
/// its own.

#include <chrono>

#include "support/counting_communicator.h"

namespace support
{

class DelayingCommunicator final : public CountingCommunicator
{
public:
  using CountingCommunicator::CountingCommunicator;

  double delay = 0;
  double held = 0; // seconds that callers stood waiting for what was held back

  quda::Request send_start(const void *data, std::size_t bytes, int d, int direction) override
  {
    sent_ = now();
    return CountingCommunicator::send_start(data, bytes, d, direction);
  }
  void wait(quda::Request &request) override
  {
    CountingCommunicator::wait(request);
    const double from = now();
    while (now() < sent_ + delay) {
    }
    held += now() - from;
  }

private:
  static double now()
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  double sent_ = 0;
};

} // namespace support
