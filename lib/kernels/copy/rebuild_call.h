#pragma once
/// Calls that rebuild and compress links.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct RebuildCall {
  GaugeView from;   // reconstruct 12, 8, 13 or 9; for compression 18
  FieldView to;     // 18 reals; for compression 12, 8, 13 or 9; same lattice and precision
  double unit;      // for reconstruct 13 and 9: unit of the stored links; else 1
  double tolerance; // for 12, 13 and 9: of links over their unit
  ExactLimbs *sums; // for 12, 13 and 9: [0] links that the stored numbers do not give back
};

/// Norm of all links: sums[0] = |U|^2.
struct LinkNormCall {
  GaugeView links;
  ExactLimbs *sums;
};

} // namespace quda
