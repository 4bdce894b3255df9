#pragma once
/// Shadow vector, which bi-orthogonal methods project their residuals on: the first residual. If a recursion broke down
/// at once, a restart with it would end at the same place, so another vector is taken: the residual times a
/// random-looking factor per site, of size 1/2 to 3/2 and either sign, the same on all process grids.

#include <cmath>
#include <vector>

#include "ops/blas/block.h"
#include "ops/dirac/site_factor.h"
#include "solvers/report.h"

namespace quda
{

/// Count of how often in a row one right-hand side has broken down without a step in between.
struct Breakdowns {
  int times = 0;
  int steps = 0; // since it began

  /// Records the outcome of a run whose last step was not made.
  void came_back(Outcome outcome)
  {
    if (outcome == Outcome::breakdown) times = steps == 0 ? times + 1 : 0;
  }
};

/// shadow = r times the factor that belongs to this number of breakdowns.
inline void another_shadow(ColorSpinorField &shadow, const ColorSpinorField &r, int breakdowns)
{
  const SiteFactor factor([breakdowns](int d, long long x) {
    // multiples of the golden ratio and of the square root of two, so that no lattice shares a period
    const double u = 0.6180339887498949 * static_cast<double>((x + 1) * (2 * d + 3)) + 0.4142135623730950 * breakdowns;
    const double v = 2 * (u - std::floor(u)) - 1;
    return v < 0 ? v - 0.5 : v + 0.5;
  });
  factor.apply(shadow, r);
}

/// Chooses the shadow of each right-hand side when a recursion begins with residual r; returns whether any differs from
/// r. broken: one per right-hand side, or empty at first.
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
