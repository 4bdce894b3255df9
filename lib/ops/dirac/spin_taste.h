#pragma once
/// Staggered bilinears: the operator of a spin and a taste.
///
/// Gammas are bits, x 1, y 2, z 4, t 8. With n = the bits of spin XOR taste, sigma(gamma_mu) the sign of the sum of all
/// coordinates except x_mu, and sigma of several bits the product,
///   out = sigma(gamma_5) (1 / n!) sum over orders of these n directions (+-) D_{last} ... D_{first} sigma(spin) in,
///   (D_mu psi)(x) = sigma(gamma_mu) (U_mu(x) psi(x + mu) + U_mu(x - mu)^dag psi(x - mu)) / 2,
/// + if the directions, first to last, are an even permutation of x y z t; for two directions D_x D_y - D_y D_x, and
/// likewise y z, z x, x t, y t and z t. Staggered phases are in the links; sigma(gamma_5) is the antiquark's.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

/// out from in, native full fields of one spin and 3 colors; different fields if spin and taste differ. links: as in
/// ops/dirac/covariant_sum.h; may be null if they are equal. Needs memory for up to ten further fields.
/// The same bits for any rank grid, lane split, thread count and tuning. Collective over the lattice's communicator.
void spin_taste(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField *links, int spin, int taste);

/// Flops of spin_taste() on this rank.
double spin_taste_flops(const ColorSpinorField &in, int spin, int taste);

} // namespace quda
