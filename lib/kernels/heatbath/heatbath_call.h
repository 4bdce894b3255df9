#pragma once
/// What the host side hands to the kernels of the heat bath.

#include "core/view.h"

namespace quda
{

struct HeatbathCall {
  GaugeView links; // border 1 or more deep in cut directions, current
  int mu, parity;
  bool relax;
  double beta;
  unsigned long long seed;
  int update; // within the sweep
  unsigned sweep;
};

} // namespace quda
