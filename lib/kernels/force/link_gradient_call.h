#pragma once
/// Calls of gradients of functions of links.

#include "core/view.h"

namespace quda
{

struct LongGradientCall {
  GaugeView links, of_long; // with a border of 2 or more in cut directions, current
  GaugeView gradient;       // added to; without border
  double weight;
};

struct UnitaryGradientCall {
  GaugeView links;      // V, general matrices
  GaugeView special;    // W in SU(3), if V was projected onto it
  GaugeView of_unitary; // all without border
  GaugeView gradient;   // may be of_unitary
  int of_special;       // nonzero: the gradient is with respect to W
  double least;         // eigenvalues of V^dag V are raised by this if the smallest is below it
};

struct GradientForceCall {
  GaugeView links, gradient, momentum; // without border
  double factor;
  int overwrite; // nonzero: the old momenta are dropped
};

} // namespace quda
