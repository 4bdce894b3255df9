#pragma once
/// The places around a register of sites, on the lane target.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A register and the eight places one step from it, all found before a kernel's arithmetic begins: looked up one by
/// one between multiplications, they cost more than the multiplications next to them.
struct Around {
  Coord x;
  Place here;
  unsigned record[4][2];
  int time[2]; // o_3 of the steps along t
  int beyond[4][2];
  const LaneShift *shift[4][2];

  QUDA_DEVICE void locate(const Index &index, const Coord &coord)
  {
    x = coord;
    here = index.here(x);
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) {
      QUDA_UNROLL
      for (int up = 0; up < 2; up++) {
        const Place n = index.neighbour(x, d, up ? +1 : -1);
        record[d][up] = n.record;
        beyond[d][up] = n.beyond;
        shift[d][up] = n.shift;
        if (d == 3) time[up] = n.t;
      }
    }
  }

  QUDA_DEVICE Place neighbour(int d, int s) const
  {
    const int up = s > 0;
    return {record[d][up], 1 - x.parity, d < 3 ? x.o[3] : time[up], beyond[d][up] != 0, shift[d][up]};
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
