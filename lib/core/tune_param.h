#pragma once

/// What the tuner chooses for one launch: plain numbers, passed to launch units by value.
/// No member functions, so that units compiled for one instruction set may include it.

namespace quda
{

/// On a GPU: the launch geometry. On the CPU: block[0] = tile (consecutive registers handed out together), grid[0] =
/// threads. What a kernel does not honour is 0. The tune cache keeps the last four as QUDA's columns aux.x to aux.w.
struct TuneParam {
  int block[3];
  int grid[3];
  int shared_bytes;
  int prefetch;  // records asked for ahead
  int streaming; // 1: stores past the cache
  int schedule;  // of tiles: 0 contiguous ranges, 1 dealt out in turn
  int variant;   // of the kernel's variants, from 1; 0: its own choice
};

} // namespace quda
