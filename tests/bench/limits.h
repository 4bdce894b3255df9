#pragma once
/// What the machine itself can do, measured again whenever asked: the bandwidth of copy and triad with plain and
/// streaming stores, of dot, of an update in place, and of a gather, six numbers read for each written past the cache;
/// the rate of multiply-adds.
///
/// Bandwidth counts each number read or written once, as STREAM does: what a plain store reads before it writes is not
/// counted. Arrays are several times the last cache. Memory comes from the target; threads touch their own part first.

#include <cstddef>

#include "bench/limits_table.h"
#include "core/types.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

/// The table of the target in use.
const bench::LimitTable &limit_table();

} // namespace quda

namespace quda::bench
{

enum class Limit : int { copy, copy_streaming, triad, triad_streaming, dot, update, gather, fma_double, fma_single };
constexpr int n_limits = 9;
constexpr int n_memory_limits = 7; // the first of them

const char *limit_name(Limit limit);
inline Limit fma_limit(Precision precision)
{
  return precision == Precision::double_ ? Limit::fma_double : Limit::fma_single;
}

class Limits
{
public:
  /// last_cache: bytes.
  explicit Limits(std::size_t last_cache);

  /// Whether the target knows this one: streaming stores are the processor's.
  bool has(Limit limit) const;
  /// One pass: GB/s or GFLOP/s.
  double sample(Limit limit);

private:
  TuneParam param(bool streaming) const;

  unsigned records_;
  int lanes_[2]; // sites of a register [double, single]
  DeviceBuffer x_, y_, z_;
  LimitCall call_ {};
};

} // namespace quda::bench
