#pragma once
/// Call that applies clover terms.

#include "core/view.h"

namespace quda
{

struct CloverApplyCall {
  SpinorView out, in;
  FieldView clover;     // (parity 2, x_cb, block 2, 36): a term or its inverse
  int parity, parities; // of the sites: 0 and 2, or one parity
};

} // namespace quda
