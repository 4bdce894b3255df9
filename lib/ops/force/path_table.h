#pragma once
/// What the host side of path sums hands to its launch units.

#include "core/exact_limbs.h"
#include "core/path.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct PathSumCall {
  GaugeView links;  // with a border as deep as the paths reach, current
  GaugeView result; // momenta (reconstruct 10) or matrices (18), without border
  double factor;
  int overwrite; // nonzero: what the result held is dropped
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
};

/// [precision: double, single][reconstruct: 18, 12]
struct PathWalkTable {
  void (*walk[2][2])(const TuneParam &, void *stream, const PathWalkCall &);
  /// sums[2], real and imaginary part, is added to.
  void (*trace[2][2])(const TuneParam &, void *stream, const LoopTraceCall &, ExactLimbs *sums);
};

struct StaplesTable {
  /// Weights of rectangles are not read; the result must be momenta.
  void (*plaquette[2][2])(const TuneParam &, void *stream, const StaplesCall &);
  void (*rectangle[2][2])(const TuneParam &, void *stream, const StaplesCall &);
};

} // namespace quda
