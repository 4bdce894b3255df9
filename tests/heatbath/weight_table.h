#pragma once
/// What the test of the SU(2) draws passes to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct WeightCall {
  GaugeView out; // reconstruct 18: elements 0, 1 of direction mu the quaternion of draw mu
  double alpha;
  unsigned long long seed;
};

struct WeightTable {
  void (*draw[2])(const TuneParam &, const WeightCall &); // [double, single]
};

} // namespace quda
