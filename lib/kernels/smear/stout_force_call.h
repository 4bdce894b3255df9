#pragma once
/// Calls of the forces of smeared links.

#include "core/view.h"

namespace quda
{

/// The staples of a step.
struct StoutStaples {
  int dirs[4];      // smeared directions
  int count;        // number of directions
  double weight[4]; // of staples by the direction of their sides
};

struct StoutGradientCall {
  GaugeView links;   // before the step, stored whole; border of 2 in cut directions, current
  GaugeView staples; // gradient of the staples; border alike, which is not written
  GaugeView force;   // of the links after the step; momenta without border
  StoutStaples of;
};

struct StapleForceCall {
  GaugeView links, staples; // as above, borders current
  GaugeView force, out;     // may be one field
  StoutStaples of;
  double factor;
  int overwrite; // nonzero: the old out is dropped
};

} // namespace quda
