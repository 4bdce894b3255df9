#pragma once
/// What the host side hands to the kernel of the twisted-mass term.

#include "core/view.h"

namespace quda
{

struct TwistCall {
  SpinorView out, in;
  int parities;
  double scale, one, a, b;
  int add; // to out
};

} // namespace quda
