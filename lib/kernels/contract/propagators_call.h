#pragma once
/// What the contraction of propagators is launched on.

#include "core/view.h"

namespace quda
{

struct PropagatorsCall {
  FieldView x, y; // a column (right-hand side) for each spin, where there are four, and colour of the source
  FieldView out;  // one complex number, or 16 right-hand sides of one
  int colors;     // of the source
};

} // namespace quda
