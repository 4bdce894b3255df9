#pragma once
/// What the host side of the projection hands to its launch unit.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct ProjectCall {
  GaugeView in, out; // one lattice; borders alike
  double tolerance;
};

/// [precision: double, single][reconstruct: 18, 12]; sums[1], links that failed, is added to.
struct ProjectTable {
  void (*project[2][2])(const TuneParam &, void *stream, const ProjectCall &, ExactLimbs *sums);
};

} // namespace quda
