#pragma once
/// Calls of random fields.

#include "core/view.h"

namespace quda
{

struct GaussianCall {
  GaugeView out;
  double sigma;
  unsigned long long seed;
  bool uniform;      // links uniform in SU(3) instead of exp(sigma H)
  bool as_described; // links times the factors in the field's description
};

} // namespace quda
