#pragma once
/// The chain rule for functions of links: from the gradient of what links were made into to that of the links, and from
/// there to momenta. The gradient of a function S of matrices X is the field G with dS = sum Re tr(G^dag dX), dX of all
/// 18 numbers of a matrix; it transforms as X does. Formulas: kernels/force/link_gradient.launch.cpp; that of fat
/// links: ops/links/fat_links.h. Fields are native, of one precision and lattice, whole links, without borders where
/// nothing else is said.

#include "fields/gauge_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// gradient += that of long_links(links, weight), by the gradient of those. Collective.
void add_long_links_gradient(GaugeField &gradient, const LinkSet &links, double weight, const GaugeField &of_long);

/// The gradient of V where W = V (V^dag V)^(-1/2) has the gradient `gradient`, in whose place it comes. least: where
/// the smallest eigenvalue of V^dag V is below it, all three are raised by as much, in W and in the gradient, which
/// else grows without bound. special: the links that W, divided by the cube root of its determinant, became; `gradient`
/// is then that of those. Collective while tuned.
void unitary_links_gradient(GaugeField &gradient, const GaugeField &V, double least,
                            const GaugeField *special = nullptr);

/// A_mu(x) = TA(A_mu(x) + factor U_mu(x) gradient_mu(x)^dag) for momenta A: factor dt is the step of molecular
/// dynamics. overwrite: what they held is dropped. Collective while tuned.
void add_gradient_force(GaugeField &momentum, const GaugeField &links, const GaugeField &gradient, double factor,
                        bool overwrite);

/// Flops of all three a site; those of eigenvectors are not counted.
constexpr long long link_gradient_flops = 4 * ((6 * 198 + 54) + (5 * 198 + 300) + (198 + 60));

} // namespace quda
