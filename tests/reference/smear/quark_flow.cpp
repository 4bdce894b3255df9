#include "reference/smear/quark_flow.h"

namespace reference
{

template <int n> SpinVectors<n> laplace(const GaugeField &gauge, const SpinVectors<n> &phi)
{
  return combined<n>(1, neighbours<n>(gauge, phi, 4), -8, phi);
}

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

template <int n>
SpinVectors<n> quark_flow_step_back(const FlowStages &W, const SpinVectors<n> &xi3, double epsilon, int order)
{
  if (order == 4) {
    SpinVectors<n> xi = xi3, change(xi.size(), SpinVector<n>::Zero());
    for (int i = 5; i >= 0; i--) {
      change = combined<n>(epsilon * flow_b[i], xi, i < 5 ? flow_a[i + 1] : 0, change);
      xi = combined<n>(1, xi, 1, laplace<n>(W[i], change));
    }
    return xi;
  }
  const SpinVectors<n> d2 = laplace<n>(W[2], xi3);
  const SpinVectors<n> xi2 = combined<n>(3 * epsilon / 4, d2, 0, d2);
  const SpinVectors<n> xi1 = combined<n>(1, xi3, 8 * epsilon / 9, laplace<n>(W[1], xi2));
  const SpinVectors<n> d0 = laplace<n>(W[0], combined<n>(1, xi1, -8.0 / 9, xi2));
  return combined<n>(1, combined<n>(1, xi1, 1, xi2), epsilon / 4, d0);
}

template SpinVectors<1> laplace<1>(const GaugeField &gauge, const SpinVectors<1> &phi);
template SpinVectors<1> quark_flow_step<1>(const FlowStages &W, const SpinVectors<1> &phi0, double epsilon, int order);
template SpinVectors<1> quark_flow_step_back<1>(const FlowStages &W, const SpinVectors<1> &xi3, double epsilon,
                                                int order);

template SpinVectors<4> laplace<4>(const GaugeField &gauge, const SpinVectors<4> &phi);
template SpinVectors<4> quark_flow_step<4>(const FlowStages &W, const SpinVectors<4> &phi0, double epsilon, int order);
template SpinVectors<4> quark_flow_step_back<4>(const FlowStages &W, const SpinVectors<4> &xi3, double epsilon,
                                                int order);

} // namespace reference
