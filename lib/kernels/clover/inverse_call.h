#pragma once
/// Call of the inverses and determinants of clover terms.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct CloverInverseCall {
  FieldView in;     // (parity 2, x_cb, block 2, 36), native
  FieldView out;    // a field like it; or null data: sums only
  ExactLimbs *sums; // [parity 2][2], added to
};

} // namespace quda
