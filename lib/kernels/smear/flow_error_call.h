#pragma once
/// What the host side hands to the kernel of a flow step's error.

#include "core/view.h"

namespace quda
{

struct FlowErrorCall {
  GaugeView after;         // any border
  GaugeView before;        // V_0, without
  GaugeView first, second; // generators of the first two stages, momenta without border
  double epsilon;
  void *parts; // numbers of the fields' precision, for most_fold_parts results; the first is the answer
};

} // namespace quda
