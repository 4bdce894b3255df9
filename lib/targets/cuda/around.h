#pragma once
/// The places around a site, on scalar targets.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A site and the eight places one step from it, each found when it is asked for: registers are dearer than arithmetic.
struct Around {
  const Index *index;
  Coord x;
  Place here;

  QUDA_DEVICE void locate(const Index &of, const Coord &coord)
  {
    index = &of;
    x = coord;
    here = of.here(x);
  }

  QUDA_DEVICE Place neighbour(int d, int s) const { return index->neighbour(x, d, s); }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
