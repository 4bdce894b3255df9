/// Hop of clover fermions: Wilson's hop D, with the clover term in the finish.
///   out = a (A + shift) x + b D in + c y, or out = a x + b A^-1 D in + c y; D as in wilson.by_precision.launch.cpp.
/// in, out, x : (parity, x_cb, inner, spin 4, color 3) complex, DeGrand-Rossi basis; out on one parity is made from in
///              on the other. out must not alias in; x may be out.
/// clover     : (parity 2, x_cb, block 2, 36), A or A^-1.
/// Links, halo: as in stencil.h; half spinors cross a face. Collective: no.
/// Flops      : 1,824 a site, 48 more with x; without x and inverse 1,320. Bytes: links, clover term, each spinor once.

#include "device/instances.h"
#include "kernels/dirac/clover_finish.h"
#include "kernels/dirac/wilson_sums.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_WILSON_SUMS(extern)

#ifdef QUDA_SITE_SUMS // one kernel, with sums on request

template <class S, int recon> using CloverArg = SummingHopArg<S, recon, WilsonLegs, CloverFinish<S, SiteSums>>;

QUDA_INSTANCES(clover, CloverCall, LaunchSiteSums<Hop, CloverArg>, Stored, WilsonLinks)
QUDA_INSTANCES(clover_sums, CloverCall, LaunchSiteSums<Hop, CloverArg>, Stored, WilsonLinks)

#else

template <class S, int recon> using CloverArg = HopArg<S, recon, WilsonLegs, CloverFinish<S>>;

QUDA_INSTANCES(clover, CloverCall, Launch3D<Hop, CloverArg>, Stored, WilsonLinks)

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
