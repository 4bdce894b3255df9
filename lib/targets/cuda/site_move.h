#pragma once
/// Target-dependent part of the places of sites: on scalar targets a thread is a site, and there are no lanes to move.

#include "core/view.h"
#include "targets/launch_error.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

using SiteCount = unsigned long long; // of both parities

QUDA_DEVICE int parts_of(const LatticeView &) { return 1; }
QUDA_DEVICE int log_parts_of(const LatticeView &) { return 0; }

QUDA_DEVICE unsigned long long high_product(unsigned long long a, unsigned long long b)
{
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

struct SiteMove {
  int part = 0;
  const LaneShift *shift = nullptr;

  QUDA_DEVICE SiteMove(const LatticeView &, int, int) {}
  QUDA_DEVICE static int source_lane(const LatticeView &, int, int) { return 0; }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
