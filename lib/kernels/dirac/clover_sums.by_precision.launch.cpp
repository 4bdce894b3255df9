/// Hop of clover fermions with sums over its result (finish.h), on targets whose launches can collect them; all else as
/// clover.by_precision.launch.cpp has it.

#include "device/instances.h"
#include "kernels/dirac/clover_finish.h"
#include "kernels/dirac/hop.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

#ifdef QUDA_SITE_SUMS

template <class S, int recon> using CloverSumsArg = SummingHopArg<S, recon, WilsonLegs, CloverFinish<S, SiteSums>>;

QUDA_INSTANCES(clover_sums, CloverCall, LaunchSiteSums<Hop, CloverSumsArg>, Stored, WilsonLinks)

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
