#pragma once
/// Which quark fields the force of a pseudofermion is made of. For the action
///   S = phi^dag (M^dag M)^-1 phi = phi^dag x,   M = M_pc asymmetric,
///   dS = -2 Re l_t^dag dM_pc r_t = -2 Re l^dag dM r,   r_t = x, l_t = M_pc x,
/// M on all sites and, on those that even-odd forms leave out,
///   r_o = kappa A_o^-1 D_ot r_t,   l_o = kappa A_o^-dag D^dag_ot l_t.
/// With dagger the adjoint operator: S = phi^dag (M M^dag)^-1 phi, l_t = x, r_t = M_pc^dag x. Only hops and clover terms
/// change with the links, so twists of A leave no other trace than in l and r. Of a ratio of two such determinants that
/// differ in a constant on the sites of t alone, S = |M^-dag M_2^dag phi|^2, l_t is M_pc x + x_0, x_0 = -phi.
/// ops/force/quark_gradient.h makes gradients of them.

#include "dirac/dirac.h"

namespace quda
{

/// The fields of an action's force, full ones; x stands in that half of one of them that M_pc is on: of `left` with
/// dagger, else of `right`. x_0: null, or on that half. Without the kappas, which weights take in: r_o = A_o^-1 D_ot
/// r_t. M_pc of a symmetric form is refused (internal) but where it is the same, A = 1. Collective.
void complete_force_pair(const Dirac &dirac, MatPC matpc, bool dagger, ColorSpinorField &left, ColorSpinorField &right,
                         const ColorSpinorField *x_0 = nullptr);

} // namespace quda
