#pragma once
/// Call of outer products.

#include "core/view.h"

namespace quda
{

constexpr int most_outer_terms = 16;

struct OuterProductsCall {
  FieldView quarks;   // colour vectors of both parities
  HaloView halo;      // from above, `reach` layers or more; not read if no direction is cut
  GaugeView gradient; // whole matrices, without border
  int reach;          // steps between the two factors
  int terms;          // right-hand sides
  int add;            // nonzero: adds to the gradient
  double weight[most_outer_terms];
};

} // namespace quda
