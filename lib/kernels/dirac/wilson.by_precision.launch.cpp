/// Wilson hop.
///   (D psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dag psi(x - mu) ],
/// its adjoint with the signs of gamma_mu exchanged; out = a x + b D in + c y; terms without a field are left out.
/// in, out, x, y : (parity, x_cb, inner, spin 4, color 3) complex, DeGrand-Rossi basis; out on one parity is made from
///              in on the other. out must not alias in; x and y may be out.
/// Links, halo: as in stencil.h; half spinors cross a face. Collective: no.
/// Flops      : 1,320 a site, 48 more with x, with y. Bytes: links once, each spinor once.

#include "device/instances.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/wilson_sums.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_WILSON_SUMS()

#ifdef QUDA_SITE_SUMS // one kernel, with sums on request

template <class S, int recon> using WilsonArg = SummingHopArg<S, recon, WilsonLegs, AddTo<S, 24, SiteSums>>;

QUDA_INSTANCES(wilson, HopCall, LaunchSiteSums<Hop, WilsonArg>, Stored, WilsonLinks)
QUDA_INSTANCES(wilson_sums, HopCall, LaunchSiteSums<Hop, WilsonArg>, Stored, WilsonLinks)

#else

template <class S, int recon> using WilsonArg = HopArg<S, recon, WilsonLegs, AddTo<S, 24>>;

QUDA_INSTANCES(wilson, HopCall, Launch3D<Hop, WilsonArg>, Stored, WilsonLinks)

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
