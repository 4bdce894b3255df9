#pragma once
/// What the host side hands to the kernels of random fields.

#include "core/view.h"

namespace quda
{

struct GaussianCall {
  GaugeView out;
  double sigma;
  unsigned long long seed;
  bool uniform;      // links uniform in SU(3) in place of exp(sigma H)
  bool as_described; // links times the factors that the field's description names
};

} // namespace quda
