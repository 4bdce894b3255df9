#pragma once
/// Calls and time of every kernel launched, by key; written to profile_N.tsv when the library ends.
///
/// Time is that of the monotonic clock around a launch if launches are done on return; otherwise the tuned launch time
/// times the calls. An entry is made at the first launch of a key and stays; a launch allocates nothing.
/// Threads: one calling thread at a time. Collective: no.

#include <string>
#include <vector>

#include "tune/tune_key.h"

namespace quda
{

struct KernelTime {
  TuneKey key;
  long long calls = 0;
  double seconds = 0;
  long long flops = 0; // of all calls
  long long bytes = 0;
};

/// The entry of a key, made if there is none. The reference stays valid as long as the process.
KernelTime &kernel_time(const TuneKey &key);

/// Entries called since the last reset, most time first.
std::vector<const KernelTime *> kernel_times();

/// Zeroes all calls and times.
void reset_kernel_times();

/// Writes profile_<n>.tsv and profile_async_<n>.tsv into resource_path() (B_<n>.tsv, B_<n>_async.tsv with
/// QUDA_PROFILE_OUTPUT_BASE = B); n counts the calls that wrote, from 0. Files are complete or absent (renamed).
/// For one rank, the first. A folder that is missing or not writable gives a warning. Never fails.
void save_kernel_profile() noexcept;

} // namespace quda
