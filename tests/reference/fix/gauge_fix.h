/// Landau and Coulomb gauge by their definitions: functional and gradient of links, and one over-relaxation of a site,
/// whose eight links are multiplied at once.
#pragma once

#include "reference/field.h"

namespace reference
{

/// 1 / (3 D V) sum of Re tr U_mu(x), mu < D
double gauge_functional(const GaugeField &gauge, int directions);

/// 1 / (3 V) sum of tr Delta Delta^dag
double gauge_theta(const GaugeField &gauge, int directions);

/// All sites of parity 0, then those of parity 1; the SU(2) subgroups one after the other.
void over_relax(GaugeField &gauge, int directions, double boost);

/// One step of steepest descent with Fourier acceleration over the D directions: rows of 1 + alpha / 2 D~ made
/// orthonormal. The transform is the sum it is defined by.
void descend(GaugeField &gauge, int directions, double alpha);

} // namespace reference
