#pragma once
/// Calls of stout smearing and of the gradient flow.

#include "core/view.h"

namespace quda
{

struct StoutCall {
  GaugeView in, out; // one lattice, one border: 2 deep in cut directions, current in `in`
  int dirs[4];       // smeared directions
  int count;         // number of directions
  double staples;    // weight of the staples
  double rectangles; // weight of the rectangles, over-improved smearing
  double time_sides; // factor of both if they leave and return along t
  // A stage of the flow; otherwise generator.field.data is null.
  GaugeView generator; // momenta Z, without border; read if old is not 0
  double old, step;
};

} // namespace quda
