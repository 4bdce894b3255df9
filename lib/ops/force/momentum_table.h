#pragma once
/// What the host side of link updates and momentum actions hands to its launch unit.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
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
};

/// [precision: double, single][reconstruct of the links: 18, 12]; sum is added to.
struct MomentumTable {
  void (*update[2][2])(const TuneParam &, void *stream, const UpdateCall &);
  void (*action[2])(const TuneParam &, void *stream, const MomentumActionCall &, ExactLimbs *sum);
};

} // namespace quda
