#pragma once
/// Quark fields that the force of a pseudofermion is made from. For the action
///   S = phi^dag (M^dag M)^-1 phi = phi^dag x,   M = M_pc,
///   dS = -2 Re l^dag dM_pc r,   r = x, l = M_pc x,
/// from which Dirac::gradient_pair() (dirac.h) makes full fields. With dagger the adjoint operator: S = phi^dag (M
/// M^dag)^-1 phi, l = x, r = M_pc^dag x. Only hops and clover terms change with the links, so twists of A enter only
/// through l and r. For a ratio of two such determinants that differ by a constant on the sites of M_pc only, S =
/// |M^-dag M_2^dag phi|^2, l is M_pc x + x_0, x_0 = -phi; if they differ elsewhere, another pair gives + 2 Re phi^dag
/// dM_2 x. For the exact one-flavour action, with H Hermitian on all sites,
///   S = xi^dag H^-1 xi,   H = gamma5 R5 M B^-1,   x = M^-1 R5 gamma5 xi,   dS = -Re l^dag dM x,   l = R5 gamma5 B x,
/// R5 the exchange of s and Ls - 1 - s. ops/force/quark_gradient.h makes gradients from the fields.

#include "dirac/dirac.h"

namespace quda
{

/// Completes the full fields of an action's force. x is on entry in the half of one of them that M_pc acts on: `left`
/// with dagger, else `right`. x_0: null, or on that half. Returns the factor of the pair (dirac.h). Collective.
double complete_force_pair(const Dirac &dirac, MatPC matpc, bool dagger, ColorSpinorField &left,
                           ColorSpinorField &right, const ColorSpinorField *x_0 = nullptr);

/// Completes a pair of the exact one-flavour action of Moebius fermions; `right` is x, of one flavour. Returns the
/// factor of the pair. Collective.
double complete_one_flavour_pair(const Dirac &dirac, ColorSpinorField &left, ColorSpinorField &right);

} // namespace quda
