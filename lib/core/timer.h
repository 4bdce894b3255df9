#pragma once

/// A stopwatch on the monotonic clock, for one thread. Times are in seconds and include the running stretch.

#include <chrono>

namespace quda
{

class Timer
{
public:
  void start()
  {
    if (running_) return;
    begin_ = Clock::now();
    running_ = true;
  }

  void stop()
  {
    if (!running_) return;
    sum_ += Clock::now() - begin_;
    running_ = false;
  }

  /// Forgets the time measured; a running watch runs on from zero.
  void reset()
  {
    sum_ = Clock::duration::zero();
    begin_ = Clock::now();
  }

  bool running() const { return running_; }

  double seconds() const
  {
    const Clock::duration all = running_ ? sum_ + (Clock::now() - begin_) : sum_;
    return std::chrono::duration<double>(all).count();
  }

private:
  using Clock = std::chrono::steady_clock;

  Clock::duration sum_ = Clock::duration::zero();
  Clock::time_point begin_ {};
  bool running_ = false;
};

} // namespace quda
