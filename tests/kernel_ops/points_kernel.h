#pragma once
/// Marks the points it is called for, in one to three dimensions.

#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct PointsArg {
  unsigned threads[3];
  int *visits;
  int *wrong;
};

template <class Arg> struct Points : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned y = 0, unsigned z = 0) const
  {
    if (x < arg.threads[0] && y < arg.threads[1] && z < arg.threads[2])
      arg.visits[x + arg.threads[0] * (y + arg.threads[1] * z)]++;
    else
      arg.wrong[0]++;
  }
};

/// The same in two steps.
template <class Arg> struct LocatedPoints : NoKernelOps {
  const Arg &arg;

  struct Site {
    unsigned x, y, z;
  };

  QUDA_DEVICE void locate(Site &site, unsigned x, unsigned y = 0, unsigned z = 0) const { site = {x, y, z}; }
  QUDA_DEVICE void operator()(const Site &at) const { Points<Arg> {{this->block}, arg}(at.x, at.y, at.z); }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
