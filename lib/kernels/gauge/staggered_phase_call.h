#pragma once
/// Call of the staggered phases.

#include "core/view.h"

namespace quda
{

struct StaggeredPhaseCall {
  GaugeView out, in; // one lattice, 18 reals
  int plus[4];       // for each mu: 1 if the sign of site 0 is minus
  int odd[4];        // for each mu: bit d if the sign alternates along d
  double turn[2];    // real and imaginary part of a further factor of time links
};

} // namespace quda
