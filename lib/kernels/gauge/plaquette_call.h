#pragma once
/// Call of the plaquette.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct PlaquetteCall {
  GaugeView links;  // border 1 or more deep in cut directions, current
  ExactLimbs *sums; // spatial, temporal: added to
};

} // namespace quda
