#pragma once
/// Call of smearing by projection.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

/// The two staples of a link in direction nu: number of the call's field with the links parallel to it, and of that
/// with the sides.
struct StaplePair {
  int nu, parallel, sides;
};

struct ProjectedStaplesCall {
  GaugeView links, out; // one lattice, one border: 1 or more in cut directions, current in `links` and `from`
  GaugeView from[3];    // fields of the staples, as named in `pairs`
  StaplePair pairs[4][3];
  int count[4];   // pairs for links of direction mu; without any they are not written
  double unity;   // weight of the link
  double staples; // of the staples,
  double along_t; // times this if nu is t
  double tolerance;
  ExactLimbs *sums; // links that failed: added to
};

} // namespace quda
