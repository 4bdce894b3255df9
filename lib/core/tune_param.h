#pragma once

/// Launch parameters chosen by the tuner: plain numbers, passed to launch units by value.
/// No member functions, so that units compiled for one instruction set may include it.

namespace quda
{

/// On a GPU: the launch geometry. On the CPU: block[0] = tile (consecutive registers handed out together), grid[0] =
/// threads. Parameters that a kernel ignores are 0. The tune cache keeps the last four as QUDA's aux.x to aux.w.
struct TuneParam {
  int block[3];
  int grid[3];
  int shared_bytes;
  int prefetch;  // records to prefetch ahead
  int streaming; // 1: stores past the cache
  int schedule;  // of tiles: 0 contiguous ranges, 1 round robin
  int variant;   // number of the kernel's variant, from 1; 0: the kernel's own choice
};

} // namespace quda
