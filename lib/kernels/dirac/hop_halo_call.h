#pragma once
/// Call of the packing of a hop's halo.

#include "core/view.h"

namespace quda
{

struct HopHaloCall {
  SpinorView in;
  GaugeView links;
  HaloMessages messages; // outgoing
  int dagger;
  int parity; // of in's first half
};

} // namespace quda
