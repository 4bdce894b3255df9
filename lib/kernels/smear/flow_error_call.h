#pragma once
/// Call of a flow step's error.

#include "core/view.h"

namespace quda
{

struct FlowErrorCall {
  GaugeView after;         // any border
  GaugeView before;        // V_0, without border
  GaugeView first, second; // generators of the first two stages, momenta without border
  double epsilon;
  void *parts; // numbers of the fields' precision, for most_fold_parts results; the first is the result
};

} // namespace quda
