#pragma once
/// What the host side of stout smearing hands to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct StoutCall {
  GaugeView in, out; // one lattice, one border: 2 deep in cut directions, current in `in`
  int dirs[4];       // smeared
  int count;         // of them
  double staples;    // weight of the staples
  double rectangles; // weight of the rectangles, over-improved smearing
};

/// [precision: double, single][reconstruct: 18, 12]
struct StoutTable {
  void (*stout[2][2])(const TuneParam &, void *stream, const StoutCall &);
  void (*over_improved[2][2])(const TuneParam &, void *stream, const StoutCall &);
};

} // namespace quda
