#pragma once
/// The chain rule for functions of links: from the gradient of derived links to the gradient of the links, and from
/// there to momenta. The gradient of a function S of matrices X is the field G with dS = sum Re tr(G^dag dX), dX of all
/// 18 numbers of a matrix; it transforms as X does. Formulas: kernels/force/link_gradient.launch.cpp; for fat
/// links: ops/links/fat_links.h. Fields are native, of one precision and lattice, whole links, without borders unless
/// stated otherwise.

#include "fields/gauge_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// gradient += the gradient of long_links(links, weight) from that of the long links. Collective.
void add_long_links_gradient(GaugeField &gradient, const LinkSet &links, double weight, const GaugeField &of_long);

/// Replaces `gradient`, of W = V (V^dag V)^(-1/2), by the gradient of V. least: if
/// the smallest eigenvalue of V^dag V is below it, all three are raised by as much, in W and in the gradient, which
/// otherwise grows without bound. special: W divided by the cube root of its determinant; `gradient`
/// is then the gradient of special. Collective while tuned.
void unitary_links_gradient(GaugeField &gradient, const GaugeField &V, double least,
                            const GaugeField *special = nullptr);

/// A_mu(x) = TA(A_mu(x) + factor U_mu(x) gradient_mu(x)^dag) for momenta A: factor dt is the step of molecular
/// dynamics. overwrite: the old momenta are dropped. Collective while tuned.
void add_gradient_force(GaugeField &momentum, const GaugeField &links, const GaugeField &gradient, double factor,
                        bool overwrite);

/// Flops of all three a site; eigenvectors are not counted.
constexpr long long link_gradient_flops = 4 * ((6 * 198 + 54) + (5 * 198 + 300) + (198 + 60));

} // namespace quda
