#pragma once
/// Calls of squares and products of clover terms.

#include "core/view.h"

namespace quda
{

struct CloverSquareCall {
  FieldView in, out; // (parity 2, x_cb, block 2, 36), native; out may be in
  double shift;
};

struct CloverProductCall {
  FieldView a, b, out; // the same; out may be one of them
};

} // namespace quda
