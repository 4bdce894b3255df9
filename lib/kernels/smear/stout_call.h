#pragma once
/// What the host side hands to the kernels of stout smearing.

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

} // namespace quda
