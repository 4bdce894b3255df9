#pragma once
/// How long one thing waits for another, in nanoseconds: what decides how much of the memory's bandwidth the few loads
/// under way can have, and what threads pay for their neighbours' data within the caches. On a machine shared with
/// others both change by the minute.

#include <cstddef>

#include "bench/samples.h"
#include "ops/halo/message_buffer.h"

namespace quda::bench
{

class Latencies
{
public:
  /// last_cache: bytes.
  explicit Latencies(std::size_t last_cache);

  /// Measures again; nothing on targets without lanes, whose memory is elsewhere.
  void sample();

  /// Of a load from memory, when each gives the address of the next.
  const Samples &memory() const { return memory_; }
  /// Of a line from the thread that wrote it to one that waits for it; empty with one thread.
  const Samples &hand_over() const { return hand_over_; }

private:
  struct alignas(64) Line {
    std::size_t next;
  };

  std::size_t lines_;
  DeviceBuffer chain_;
  std::size_t at_ = 0;
  Samples memory_, hand_over_;
};

} // namespace quda::bench
