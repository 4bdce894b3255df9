/// Flow of quark fields along that of the links: d phi/dt = Laplace phi, one step, by Luescher's formula
/// (arXiv:1302.5246, appendix D) or with the six stages of the fourth order.
#pragma once

#include "reference/dirac/covariant.h"
#include "reference/smear/flow.h"

namespace reference
{

/// The sum of the second covariant differences of all four directions.
template <int n> SpinVectors<n> laplace(const GaugeField &gauge, const SpinVectors<n> &phi)
{
  return combined<n>(1, neighbours<n>(gauge, phi, 4), -8, phi);
}

/// W: the links before each stage of the step.
template <int n>
SpinVectors<n> quark_flow_step(const FlowStages &W, const SpinVectors<n> &phi0, double epsilon, int order)
{
  if (order == 4) {
    SpinVectors<n> phi = phi0, change(phi.size(), SpinVector<n>::Zero());
    for (int i = 0; i < 6; i++) {
      change = combined<n>(1, laplace<n>(W[i], phi), flow_a[i], change);
      phi = combined<n>(1, phi, epsilon * flow_b[i], change);
    }
    return phi;
  }
  const SpinVectors<n> d0 = laplace<n>(W[0], phi0);
  const SpinVectors<n> phi1 = combined<n>(1, phi0, epsilon / 4, d0);
  const SpinVectors<n> d1 = laplace<n>(W[1], phi1);
  const SpinVectors<n> phi2 = combined<n>(1, combined<n>(1, phi0, 8 * epsilon / 9, d1), -2 * epsilon / 9, d0);
  return combined<n>(1, phi1, 3 * epsilon / 4, laplace<n>(W[2], phi2));
}

} // namespace reference
