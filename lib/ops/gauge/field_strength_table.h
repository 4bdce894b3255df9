#pragma once
/// What the host side of charge and energy hands to its launch unit.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct ChargeCall {
  GaugeView links;   // border 1 or more deep in cut directions, current
  FieldView density; // native order without a border, inner = reals = 1; or null data
};

/// [precision: double, single][reconstruct: 18, 12]; sums[3] is added to.
struct ChargeTable {
  void (*charge[2][2])(const TuneParam &, void *stream, const ChargeCall &, ExactLimbs *sums);
};

} // namespace quda
