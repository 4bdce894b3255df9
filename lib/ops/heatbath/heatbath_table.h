#pragma once
/// What the host side of the heat bath hands to its launch unit.

#include "core/tune_param.h"
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

struct HeatbathTable {
  void (*heatbath[2][2])(const TuneParam &, void *stream, const HeatbathCall &); // [double, single][18, 12]
};

} // namespace quda
