#pragma once
/// What the host side of the plaquette hands to its launch unit.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct PlaquetteCall {
  GaugeView links; // border 1 or more deep in cut directions, current
};

/// [precision: double, single][reconstruct: 18, 12]; sums[2] is added to.
struct PlaquetteTable {
  void (*plaquette[2][2])(const TuneParam &, void *stream, const PlaquetteCall &, ExactLimbs *sums);
};

} // namespace quda
