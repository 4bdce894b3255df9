/// The propagator of a quark from a point, and the pion's correlator made of it.
#pragma once

#include <vector>

#include "programs/common/host_gauge.h"
#include "programs/common/process.h"

namespace program
{

/// Column 3 spin + colour: the solution of M S = 1 at the origin, that spin and colour.
struct Propagator {
  std::vector<std::vector<double>> columns; // of this process, as in quarks.h
  std::vector<double> residuals;            // true ones, one a column
  int iterations;
  double seconds, gflops; // gflops: 1e9 operations
  bool converged;
};

/// All columns in one solve. param: operator, solver, tolerance. Collective.
Propagator point_propagator(const HostGauge &gauge, QudaInvertParam param);

/// C(t) = sum over x of tr S(x, t)^dag S(x, t). Collective.
std::vector<double> pion_correlator(const Process &process, const HostGauge &gauge, const Propagator &propagator);

/// m(t) for t = 1 ... T / 2 - 1 with cosh m = (C(t - 1) + C(t + 1)) / (2 C(t)), C the mean of t and T - t: the mass
/// where C is one state's cosh(m (T / 2 - t)). NaN where there is none.
std::vector<double> effective_mass(const std::vector<double> &correlator);

} // namespace program
