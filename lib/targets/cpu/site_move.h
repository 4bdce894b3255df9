#pragma once
/// Target-dependent part of the places of sites: on the lane target a register stands for as many sites as it has
/// lanes, and moves of whole blocks move lanes.

#include "core/view.h"
#include "targets/launch_error.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

using SiteCount = unsigned; // of both parities

QUDA_DEVICE int parts_of(const LatticeView &lattice) { return lattice.parts; }
QUDA_DEVICE int log_parts_of(const LatticeView &lattice) { return __builtin_ctz(lattice.parts); }

QUDA_DEVICE unsigned long long high_product(unsigned long long a, unsigned long long b)
{
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}

/// The source of register `part` of a site in a move of whole blocks.
struct SiteMove {
  int part;
  const LaneShift *shift; // null: its lanes are in place

  QUDA_DEVICE SiteMove(const LatticeView &lattice, int code, int to)
      : shift(lattice.shift + code * lattice.parts + to)
  {
    part = shift->part;
    if (shift->identity) shift = nullptr;
  }

  /// Source lane of lane `lane`, both counted over all parts.
  QUDA_DEVICE static int source_lane(const LatticeView &lattice, int code, int lane)
  {
    const int W = lattice.width;
    const LaneShift &shift = lattice.shift[code * lattice.parts + lane / W];
    return shift.part * W + (W == 4 ? shift.index[2 * (lane % W)] / 2 : shift.index[lane % W]);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
