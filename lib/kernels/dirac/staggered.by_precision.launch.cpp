/// Staggered hops.
///   (D psi)(x) = sum_mu [ U_mu(x) psi(x + mu) - U_mu(x - mu)^dag psi(x - mu) ]
///   improved : + sum_mu [ L_mu(x) psi(x + 3 mu) - L_mu(x - 3 mu)^dag psi(x - 3 mu) ], U the fat and L the long links,
/// out = a x + b D in + c y; terms without a field are left out. Phases, boundary signs and coefficients are in the
/// links; the adjoint is -D. Long legs first; in fixed point, and if L is compressed, U and L have units of their
/// own.
/// in, out, x, y : (parity, x_cb, inner, color 3) complex; out on one parity is made from in on the other. out does not
///              alias in; x and y may be out.
/// Links, halo: as in stencil.h; colour vectors cross a face, three layers of them for long legs, the first of which
///              also serves the fat legs from above. Collective: no.
/// Flops      : 570 and 1,146 a site, 12 more with x, with y. Bytes: links once, each field once.

#include "device/instances.h"
#include "device/long_links.h"
#include "kernels/dirac/color_leg.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/hop.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> using StaggeredArg = HopArg<S, recon, ColorLegs<1, -1>, AddTo<S, 6>>;
template <class S, int of_long> using ImprovedArg = TwoLengthHopArg<S, 18, of_long, ImprovedLegs, AddTo<S, 6>>;

QUDA_INSTANCES(staggered, HopCall, Launch3D<Hop, StaggeredArg>, Stored, WilsonLinks)
QUDA_INSTANCES(improved_staggered, TwoLengthHopCall, Launch3D<Hop, ImprovedArg>, Stored, LongReconstructs<18, 13, 9>)

} // namespace quda::QUDA_TARGET_NAMESPACE
