#pragma once
/// Calls of link updates and momentum actions.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct UpdateCall {
  GaugeView out, in; // may be one field
  GaugeView momentum;
  double dt;
  int exact;
};

struct MomentumActionCall {
  GaugeView momentum;
  ExactLimbs *sums; // [1], added to
};

} // namespace quda
