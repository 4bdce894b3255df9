#pragma once
/// Steps from the site that a kernel works on: index.shifted(x, Displacement {}.step(mu, +1).step(nu, -1).dx).

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A site near the one a kernel works on.
struct Displacement {
  int dx[4];

  QUDA_DEVICE Displacement step(int d, int s) const
  {
    Displacement to = *this;
    QUDA_UNROLL
    for (int e = 0; e < 4; e++) to.dx[e] += e == d ? s : 0;
    return to;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
