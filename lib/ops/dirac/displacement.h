#pragma once
/// Parallel transport of fields along a path in space, and covariant derivatives of them.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

#include <span>

namespace quda
{

enum class StepKind {
  ahead,     // U_d(x) psi(x + d)
  behind,    // U_d(x - d)^dag psi(x - d)
  derivative // half the difference, the first less the second
};

struct DisplacementStep {
  StepKind kind;
  int direction;
};

/// psi after all steps, the first of them first: in place. links: as in covariant_sum(). The same bits for any
/// rank grid, lane split, thread count and tuning. Collective over the lattice's communicator.
void displace(ColorSpinorField &psi, const GaugeField &links, std::span<const DisplacementStep> steps);

/// Flops for one right-hand side on this rank.
double displacement_flops(const ColorSpinorField &psi, std::span<const DisplacementStep> steps);

} // namespace quda
