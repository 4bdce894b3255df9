#pragma once
/// A stage of the Zeuthen flow (Ramos and Sint, arXiv:1508.05552).

#include "ops/smear/stout.h"

namespace quda
{

/// With F_mu(x) = TA[G_mu(x) V_mu(x)^dag], G 5/3 of the sum of the staples less 1/12 of the sum of the paths of five
/// links:
///   Z <- (1 + D*_mu D_mu / 12) F + old Z,   out = exp(step Z) in,
///   D*_mu D_mu F_mu(x) = V_mu(x) F_mu(x+mu) V_mu(x)^dag + V_mu(x-mu)^dag F_mu(x-mu) V_mu(x-mu) - 2 F_mu(x)
/// out, in : as in stout_step(). force: native momenta with the border of `in`, written. Collective.
void zeuthen_step(GaugeField &out, const GaugeField &in, GaugeField &force, const FlowStage &stage);

} // namespace quda
