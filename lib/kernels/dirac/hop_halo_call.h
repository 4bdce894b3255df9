#pragma once
/// What a hop hands to the packing of its halo.

#include "core/view.h"

namespace quda
{

struct HopHaloCall {
  SpinorView in;
  GaugeView links;
  HaloMessages messages; // that leave
  int dagger;
  int parity; // of in's first half
};

} // namespace quda
