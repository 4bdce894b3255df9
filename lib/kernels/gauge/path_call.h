#pragma once
/// Calls of path sums.

#include "core/exact_limbs.h"
#include "core/path.h"
#include "core/view.h"

namespace quda
{

struct PathSumCall {
  GaugeView links;  // with a border as deep as the paths reach, current
  GaugeView result; // momenta (reconstruct 10) or matrices (18), without border
  double factor;
  int overwrite; // nonzero: the old result is dropped
  int goes_on;   // nonzero: the old result is another part of this sum, and its momenta have no trace
};

struct PathWalkCall : PathSumCall {
  PathListView list;
  int first_path[5]; // direction mu has the paths first_path[mu] up to first_path[mu + 1]
};

struct StaplesCall : PathSumCall {
  StapleWeights weights;
};

struct LoopTraceCall {
  GaugeView links;
  PathListView list; // one path
  ExactLimbs *sums;  // [2], real and imaginary part: added to
};

} // namespace quda
