#pragma once
/// Call of the clover term.

#include "core/view.h"

namespace quda
{

struct CloverTermCall {
  GaugeView links; // border 1 or more deep in cut directions, current
  FieldView out;   // (parity 2, x_cb, block 2, 36), native, of the links' precision
  double coefficient;
};

} // namespace quda
