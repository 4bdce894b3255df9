#pragma once
/// What the host side hands to the kernel of the twisted-mass term.

#include "core/view.h"

namespace quda
{

struct TwistCall {
  SpinorView out, in;
  int parities;
  double scale, a, b;
};

} // namespace quda
