#pragma once
/// Calls of the Polyakov loop.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct PolyakovCall {
  GaugeView links;
  LatticeView lattice; // of the links, without a border
  unsigned face_cb;    // stored sites of a time slice and parity
  void *from, *to;     // time slices of matrices
  ExactLimbs *sums;    // [2], only for the trace: added to
};

} // namespace quda
