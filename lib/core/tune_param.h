#pragma once

/// What the tuner chooses for one launch: plain numbers, passed to launch units by value.
/// No member functions, so that units compiled for one instruction set may include it.

namespace quda
{

/// On a GPU: the launch geometry and free parameters of the kernel.
/// On the CPU: block[0] = tile (consecutive registers handed out together), grid[0] = threads,
///             aux[0] = prefetch distance in sites, aux[1] = streaming stores (0, 1),
///             aux[2] = schedule (0 contiguous halves, 1 interleaved tiles).
struct TuneParam {
  int block[3];
  int grid[3];
  int shared_bytes;
  int aux[4];
};

} // namespace quda
