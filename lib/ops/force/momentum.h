#pragma once
/// Molecular dynamics of links: the update of the links, the kinetic energy of the momenta.

#include "fields/gauge_field.h"

namespace quda
{

/// out_mu(x) = exp(dt A_mu(x)) in_mu(x), A made traceless first; exact: the exponential to rounding, else its Taylor
/// series up to the eighth power. Native fields of one precision and one lattice; out and in of one reconstruct, one
/// field or two, without borders. Collective while the kernel is tuned.
void update_links(GaugeField &out, const GaugeField &in, const GaugeField &momentum, double dt, bool exact);

/// sum over the global lattice and mu of sum_ij |A_ij|^2 / 2 - 4; the sum over sites exactly rounded, the same on all
/// ranks and for any rank grid. Collective over the field's communicator.
double momentum_action(const GaugeField &momentum);

} // namespace quda
