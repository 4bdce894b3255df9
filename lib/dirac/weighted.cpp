#include "dirac/weighted.h"

#include <cmath>

namespace quda
{

SiteFactor time_factor(const TimeWeights &weights, const Lattice &lattice, int power)
{
  const long long T = lattice.global_X()[3];
  return SiteFactor([=](int d, long long x) {
    if (d != 3) return 1.0;
    const long long t = ((x - weights.t0) % T + T) % T;
    const double w = std::cosh(weights.alpha * static_cast<double>(t - T / 2));
    return power > 0 ? w : 1 / w;
  });
}

} // namespace quda
