/// The residual mass of domain-wall quarks and the axial Ward identity that it stands in. With q and q' the quark fields
/// at the surfaces and in the middle of the fifth dimension of the twelve columns of a propagator from a point at t = 0,
///   P(t) = sum over x of |q|^2,   J(t) = sum over x of |q'|^2,   m_res(t) = J(t) / P(t),
/// and of Shamir's fermions, off the source and up to the residuals of the solutions,
///   A(t) - A(t - 1) = -2 m P(t) - 2 J(t),   A(t) = sum over x, s of sign(s - (Ls - 1) / 2) J_4(x, s),
///   J_4(x, s) = [eta^dag(x) (1 - gamma_4) U_4(x) chi(x+4) - eta^dag(x+4) (1 + gamma_4) U_4(x)^dag chi(x)] / 2,
/// chi the solution in five dimensions and eta_s = gamma5 chi_{Ls-1-s}.
#pragma once

#include <vector>

#include "programs/common/host_gauge.h"
#include "programs/common/process.h"

namespace program
{

struct ResidualMass {
  std::vector<double> pion, midpoint; // P and J, a number a time slice
  std::vector<double> current;        // A; empty: not of Shamir's fermions
  int iterations;
  double seconds;
  bool converged;

  /// Sum of J over sum of P, of the slices but for a quarter on either side of the source.
  double mean() const;
  /// The largest |A(t) - A(t - 1) + 2 m P(t) + 2 J(t)| over the sum of the sizes of its terms, t not 0.
  double violation(double mass) const;
};

/// param: the operator, its solver for M x = b. Collective.
ResidualMass residual_mass(const Process &process, const HostGauge &gauge, const Options &options,
                           QudaInvertParam param);

} // namespace program
