#pragma once
/// Calls of the heat bath.

#include "core/path.h"
#include "core/view.h"

namespace quda
{

struct HeatbathCall {
  GaugeView links; // border in cut directions, current: 1 or more deep, with rectangles 2
  int mu, parity;
  int color; // of the sites, if the action has rectangles
  bool relax;
  double beta;
  StapleWeights weights; // of the action's loops
  unsigned long long seed;
  int update; // within the sweep
  unsigned sweep;
};

} // namespace quda
