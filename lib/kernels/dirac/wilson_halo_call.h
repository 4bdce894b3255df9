#pragma once
/// What the Wilson hop hands to the packing of its halo.

#include "core/view.h"

namespace quda
{

struct WilsonHaloCall {
  SpinorView in;
  GaugeView links;
  HaloMessages messages; // that leave; records of 12 reals
  int dagger;
  int parity; // of in's first half
};

} // namespace quda
