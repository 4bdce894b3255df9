#pragma once
/// What the host side hands to the kernels of gradients of functions of links.

#include "core/view.h"

namespace quda
{

struct LongGradientCall {
  GaugeView links, of_long; // with a border of 2 or more in cut directions, current
  GaugeView gradient;       // added to; without border
  double weight;
};

struct UnitaryGradientCall {
  GaugeView links;      // V, of any property
  GaugeView special;    // W in SU(3), where that is what V was made into
  GaugeView of_unitary; // all without border
  GaugeView gradient;   // may be of_unitary
  int of_special;       // nonzero: of W
  double least;         // eigenvalues of V^dag V are raised by this where the smallest is below it
};

struct GradientForceCall {
  GaugeView links, gradient, momentum; // without border
  double factor;
  int overwrite; // nonzero: what the momenta held is dropped
};

} // namespace quda
