/// HISQ quarks on the even sites, for hybrid Monte Carlo: pseudofermions of det (4 m^2 - D_eo D_oe)^(flavours / 4), by
/// rational functions of it. Thin links U get MILC's phases; fat7, U(3), fat and long links as MILC has them.
#pragma once

#include <memory>

#include "programs/common/quark_actions.h"

namespace program
{

struct HisqWish {
  double mass = 0.1, flavours = 2; // less than four
  double high = 30;                // upper end of the spectrum of -D_eo D_oe
  double error = 1e-9;             // of the rational functions
  double tol = 1e-12;
  int maxiter = 20000;
};

/// S = phi^dag r(4 m^2 - D_eo D_oe) phi, r(x) near x^(-flavours / 4).
std::unique_ptr<QuarkAction> hisq_action(const Process &process, const HostGauge &gauge, const Options &options,
                                         const HisqWish &wish);

} // namespace program
