#pragma once
/// Call of the projection.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct ProjectCall {
  GaugeView in, out; // one lattice; borders alike
  double tolerance;
  int special;      // nonzero: onto SU(3), else onto U(3)
  int signs;        // nonzero: links of the antiperiodic boundary may be -1 times elements of SU(3), and stay so
  ExactLimbs *sums; // links that failed: added to
};

} // namespace quda
