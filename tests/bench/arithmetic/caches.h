#pragma once
/// Which of the machine's roofs a working set is under.

#include <cstddef>
#include <string>
#include <vector>

namespace quda::bench
{

/// One cache: its level, size and the processors that share it, as the kernel lists them ("0-3").
struct Cache {
  int level;
  std::size_t bytes;
  std::string processors;
};

/// Data and unified caches of the processors 0 to `processors` - 1, each cache once, from a folder like
/// /sys/devices/system/cpu. Empty where there is none.
std::vector<Cache> read_caches(const std::string &folder, int processors);

/// What threads on processors of their own can hold.
struct CacheSizes {
  std::size_t near; // all caches of the level before the last together; 0: not known, or there is none
  std::size_t last; // of the last level
};

/// last: of one cache of the last level, where `caches` does not know.
CacheSizes cache_sizes(const std::vector<Cache> &caches, int threads, std::size_t last);

/// near   : fits in caches before the last, multiply-adds bind
/// last   : the last cache holds it, or part of it: bandwidth, measured with arrays of the same working set, or
///          multiply-adds
/// memory : over twice the last cache; bandwidth from memory, or multiply-adds
enum class Roof { near, last, memory };
Roof roof_of(double working_set, const CacheSizes &sizes);

/// The working set that stands in for one under Roof::last, so that kernels share measurements: of eight in an octave
/// the nearest.
std::size_t standard_set(double working_set);

} // namespace quda::bench
