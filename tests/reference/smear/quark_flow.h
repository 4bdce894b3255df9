/// Flow of quark fields along that of the links: d phi/dt = Laplace phi, one step, by Luescher's formula
/// (arXiv:1302.5246, appendix D) or with the six stages of the fourth order. n is 1 or 4.
#pragma once

#include "reference/dirac/covariant.h"
#include "reference/smear/flow.h"

namespace reference
{

/// The sum of the second covariant differences of all four directions.
template <int n> SpinVectors<n> laplace(const GaugeField &gauge, const SpinVectors<n> &phi);

/// W: the links before each stage of the step.
template <int n>
SpinVectors<n> quark_flow_step(const FlowStages &W, const SpinVectors<n> &phi0, double epsilon, int order);

/// The adjoint of such a step (appendix E).
template <int n>
SpinVectors<n> quark_flow_step_back(const FlowStages &W, const SpinVectors<n> &xi3, double epsilon, int order);

} // namespace reference
