#pragma once
/// Calls of gauge fixing.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

/// The unchanged links, and the rotation g to be found: U_mu(x) -> g(x) U_mu(x) g(x+mu)^dag.
struct RotationCall {
  GaugeView links;     // border 2 or more in cut directions, current
  SpinorView rotation; // g: 1 spin, 9 colours, (row, column); its halo of depth 1, of the sites that are read
};

struct RelaxCall : RotationCall {
  int parity;     // parity of the rotated sites
  int directions; // of the functional: 4, or 3
  double boost;   // 1: relaxation, above: over-relaxation
};

struct GaugeQualityCall : RotationCall {
  int directions;
  FieldView gradient; // 8 reals a site, or null data
  ExactLimbs *sums;   // [2]
};

struct RotateLinksCall : RotationCall {
  GaugeView out; // without border, storage as the links'
};

/// One step of steepest descent, or the start.
struct DescendCall {
  FieldView rotation;
  FieldView gradient; // filtered
  double alpha;
  int start; // nonzero: g becomes 1, and nothing is read
};

} // namespace quda
