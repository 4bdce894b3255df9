#pragma once
/// Call of the contraction of propagators.

#include "core/view.h"

namespace quda
{

struct PropagatorsCall {
  FieldView x, y; // a column (right-hand side) for each spin, if there are four, and colour of the source
  FieldView out;  // one complex number, or 16 right-hand sides of one
  int colors;     // of the source
};

} // namespace quda
