#pragma once
/// The places around a site, on scalar targets: each computed on request, since registers are more precious than
/// arithmetic.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Data of steps in addition to the index: none.
struct Steps {
  QUDA_DEVICE Steps() {}
  explicit Steps(const Index &) {}
};

/// A site and the eight places one step from it.
struct Around {
  const Index *index;
  Coord x;
  Place here;

  QUDA_DEVICE void locate(const Index &of, const Steps &, const Coord &coord)
  {
    index = &of;
    x = coord;
    here = of.here(x);
  }

  QUDA_DEVICE Place neighbour(int d, int s) const { return index->neighbour(x, d, s); }
};

/// The same for moves by `length` steps.
template <int length> struct LongSteps {
  QUDA_DEVICE LongSteps() {}
  explicit LongSteps(const Index &) {}
};

template <int length> struct LongAround {
  QUDA_DEVICE void locate(const Index &, const LongSteps<length> &, const Around &) {}
  QUDA_DEVICE Place neighbour(const Around &around, int d, int s) const
  {
    return around.index->neighbour(around.x, d, s * length);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
