#pragma once
/// The vector that bi-orthogonal methods hold their residuals against: the residual of the start. Where a recursion broke
/// down at once, to begin again with it would end at the same place, so another one is taken: the residual times a
/// factor of each site's own, of size 1/2 to 3/2 and either sign, the same on all process grids.

#include <cmath>
#include <vector>

#include "ops/blas/block.h"
#include "ops/dirac/site_factor.h"
#include "solvers/report.h"

namespace quda
{

/// Of one right-hand side: how often in a row it has broken down without a step between.
struct Breakdowns {
  int times = 0;
  int steps = 0; // since it began

  /// From a run whose last step was not made.
  void came_back(Outcome outcome)
  {
    if (outcome == Outcome::breakdown) times = steps == 0 ? times + 1 : 0;
  }
};

/// shadow = r times the factor that belongs to so many breakdowns in a row.
inline void another_shadow(ColorSpinorField &shadow, const ColorSpinorField &r, int breakdowns)
{
  const SiteFactor factor([breakdowns](int d, long long x) {
    // multiples of the golden ratio and of the square root of two: without a period that a lattice has
    const double u = 0.6180339887498949 * static_cast<double>((x + 1) * (2 * d + 3)) + 0.4142135623730950 * breakdowns;
    const double v = 2 * (u - std::floor(u)) - 1;
    return v < 0 ? v - 0.5 : v + 0.5;
  });
  factor.apply(shadow, r);
}

/// The shadow of a beginning with residual r, of each right-hand side; whether any is not r itself. broken: of each, or,
/// at first, empty.
inline bool choose_shadow(ColorSpinorField &shadow, const ColorSpinorField &r, std::vector<Breakdowns> &broken)
{
  blas::copy(shadow, r);
  broken.resize(static_cast<std::size_t>(r.rhs()));
  bool another = false;
  for (int j = 0; j < r.rhs(); j++) {
    Breakdowns &one = broken[static_cast<std::size_t>(j)];
    one.steps = 0;
    if (one.times == 0) continue;
    ColorSpinorField of_one = shadow.columns(j, 1);
    another_shadow(of_one, r.columns(j, 1), one.times);
    another = true;
  }
  return another;
}

} // namespace quda
