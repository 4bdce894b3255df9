#pragma once
/// What the machine itself can do, measured again whenever asked: the bandwidth of copy, triad, dot, of an update in
/// place, and of a gather, six numbers read for each written; the rate of multiply-adds.
///
/// Launches are tuned as those of kernels are (prefetch, streaming stores, tiles, schedule, threads), once for each
/// working set, and kept in the tune cache. Bandwidth counts each number read or written once, as STREAM does: what a
/// plain store reads before it writes is not counted. From memory arrays are several times the last cache; under the
/// last cache the arrays of each limit make up one working set, and passes over it follow each other. Memory comes from
/// the target; threads touch their own part first.

#include <array>
#include <cstddef>
#include <map>
#include <memory>

#include "bench/arithmetic/caches.h"
#include "bench/limits_table.h"
#include "bench/samples.h"
#include "core/types.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

/// The table of the target in use.
const bench::LimitTable &limit_table();

} // namespace quda

namespace quda::bench
{

enum class Limit : int { copy, triad, dot, update, gather, fma_double, fma_single };
constexpr int n_limits = 7;
constexpr int n_bandwidths = 5; // the first of them

const char *limit_name(Limit limit);
inline Limit fma_limit(Precision precision)
{
  return precision == Precision::double_ ? Limit::fma_double : Limit::fma_single;
}

using LimitSamples = std::array<Samples, n_limits>;

/// The limits of one working set.
class Limits
{
public:
  /// array: bytes of each of three; set: of those that one limit uses together, 0 for whole arrays, once a sample.
  Limits(std::size_t array, std::size_t set);

  /// GB/s or GFLOP/s.
  double sample(Limit limit);

private:
  unsigned records_of(double arrays) const;

  unsigned records_;
  std::size_t set_;
  DeviceBuffer x_, y_, z_;
  LimitCall call_ {};
  double once_[n_limits] = {}; // seconds of a pass; 0: not tuned
};

/// All limits of a run, arrays made when they are asked for, and what was measured.
class Machine
{
public:
  /// Of the target in use.
  Machine();

  const CacheSizes &caches() const { return caches_; }
  double sample_fma(Limit limit);
  /// One of the first n_bandwidths, under Roof::last or Roof::memory.
  double sample(Limit limit, Roof roof, double working_set);

  /// All samples of the run: from memory, and of multiply-adds; by working set under the last cache.
  const LimitSamples &samples() const { return samples_; }
  const std::map<std::size_t, LimitSamples> &cache_samples() const { return cache_samples_; }

private:
  CacheSizes caches_;
  std::unique_ptr<Limits> fma_;
  std::map<std::size_t, std::unique_ptr<Limits>> limits_; // 0: from memory
  LimitSamples samples_;
  std::map<std::size_t, LimitSamples> cache_samples_;
};

} // namespace quda::bench
