/// Sums over neighbours, parallel transported by the links:
///   (S psi)(x) = sum over the selected legs of U_mu(x) psi(x + l mu) and U_mu(x - l mu)^dag psi(x - l mu),
/// out = a x + b S in + c y. One leg gives the covariant shift, all legs the sum in Laplace's operator. l = 1, U links;
/// or, for colour vectors, l = 2 with U_mu(x) the product of two links.
/// in, out, x, y : (parity, x_cb, inner, spin 1 or 4, color 3) complex; with l = 1 out on one parity is made from in on
///              the other. out must not alias in; x and y may be out.
/// Links, halo: as in stencil.h; colour vectors cross a face. Collective: no.
/// Flops      : 66 a leg and spin, 6 a spin and leg to add it.

#include "device/instances.h"
#include "kernels/dirac/color_leg.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/hop.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> using ColorSumArg = HopArg<S, recon, ColorLegs<1, +1>, AddTo<S, 6>>;
template <class S, int recon> using SpinorSumArg = HopArg<S, recon, ColorLegs<4, +1>, AddTo<S, 24>>;
template <class S, int recon> using TwoLinkSumArg = HopArg<S, recon, ColorLegs<1, +1, 2>, AddTo<S, 6>>;

QUDA_INSTANCES(color_sum, HopCall, Launch3D<Hop, ColorSumArg>, Stored, WilsonLinks)
QUDA_INSTANCES(spinor_sum, HopCall, Launch3D<Hop, SpinorSumArg>, Stored, WilsonLinks)
QUDA_INSTANCES(two_link_sum, HopCall, Launch3D<Hop, TwoLinkSumArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
