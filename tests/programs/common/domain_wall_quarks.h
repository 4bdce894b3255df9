/// Moebius quarks for hybrid Monte Carlo: two flavours on the even sites, and one flavour by the exact one-flavour
/// action, both over their Pauli-Villars fields, of mass 1.
#pragma once

#include <memory>

#include "programs/common/quark_actions.h"

namespace program
{

struct DomainWallWish {
  int Ls = 8;
  double m5 = -1.8, b = 1.5, c = 0.5;
  double mass = 0.1;                        // of two flavours
  double one_mass = 0.3;                    // of one flavour
  double low = 0.9, high = 8, error = 1e-9; // of A (reference/dirac/one_flavour.h), of which x^(-1/2) is the heat bath
  double tol = 1e-12;
  int maxiter = 20000;
};

/// det (M^dag M) / det (V^dag V), V of mass 1: S = |M^-dag V^dag phi|^2 of M_pc.
std::unique_ptr<QuarkAction> domain_wall_action(const Process &process, const HostGauge &gauge, const Options &options,
                                                const DomainWallWish &wish);

/// det D(m) / det D(1) of one flavour, by pseudofermions in four dimensions.
std::unique_ptr<QuarkAction> one_flavour_domain_wall_action(const Process &process, const HostGauge &gauge,
                                                            const Options &options, const DomainWallWish &wish);

} // namespace program
