#pragma once
/// The vector that bi-orthogonal methods hold their residuals against: the residual of the start. Where a recursion broke
/// down at once, to begin again with it would end at the same place, so another one is taken: the residual times a
/// factor of each site's own, of size 1/2 to 3/2 and either sign, the same on all process grids.

#include "ops/blas/block.h"
#include "ops/dirac/site_factor.h"

#include <cmath>

namespace quda
{

/// shadow = that of residual r after so many breakdowns in a row.
inline void choose_shadow(ColorSpinorField &shadow, const ColorSpinorField &r, int breakdowns)
{
  blas::copy(shadow, r);
  if (breakdowns == 0) return;
  const SiteFactor factor([breakdowns](int d, long long x) {
    // multiples of the golden ratio and of the square root of two: without a period that a lattice has
    const double u = 0.6180339887498949 * static_cast<double>((x + 1) * (2 * d + 3)) + 0.4142135623730950 * breakdowns;
    const double v = 2 * (u - std::floor(u)) - 1;
    return v < 0 ? v - 0.5 : v + 0.5;
  });
  factor.apply(shadow, shadow);
}

} // namespace quda
