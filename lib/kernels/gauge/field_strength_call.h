#pragma once
/// Call of charge and energy.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct ChargeCall {
  GaugeView links;   // border 1 or more deep in cut directions, current
  FieldView density; // native order without a border, inner = reals = 1; or null data
  ExactLimbs *sums;  // [3], added to
};

} // namespace quda
