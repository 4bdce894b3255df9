#pragma once
/// Call of the twisted-mass term.

#include "core/view.h"

namespace quda
{

struct TwistCall {
  SpinorView out, in;
  int parities;
  double scale, one, a, b;
  int add; // nonzero: adds to out
};

} // namespace quda
