#pragma once
/// What the host side hands to the kernels that rebuild and compress links.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct RebuildCall {
  GaugeView from;   // reconstruct 12, 8, 13 or 9; to be compressed: 18
  FieldView to;     // 18 reals; compressed: 8, 13 or 9; same lattice and precision
  double unit;      // of reconstruct 13 and 9: what stored links are multiples of
  double tolerance; // to 13 and 9: of links over their unit
  ExactLimbs *sums; // to 13 and 9: [0] links that are no such multiples of unitary matrices
};

/// Norm of all links: sums[0] = |U|^2.
struct LinkNormCall {
  GaugeView links;
  ExactLimbs *sums;
};

} // namespace quda
