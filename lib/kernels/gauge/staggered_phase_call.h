#pragma once
/// What the host side hands to the kernel of the staggered phases.

#include "core/view.h"

namespace quda
{

struct StaggeredPhaseCall {
  GaugeView out, in; // one lattice, 18 reals
  int plus[4];       // of mu: 1 where the sign of site 0 is minus
  int odd[4];        // of mu: bit d where the sign alternates along d
  double turn[2];    // real and imaginary part of what time links are multiplied by beside
};

} // namespace quda
