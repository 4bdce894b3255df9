#pragma once
/// Call of the Zeuthen flow.

#include "kernels/smear/stout_call.h"

namespace quda
{

/// Directions and weights are not read.
struct ZeuthenCall : StoutCall {
  GaugeView force; // momenta F with the border of `in`, current
};

} // namespace quda
