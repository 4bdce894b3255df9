/// Wilson hop with sums over its result (finish.h), on targets whose launches can collect them; all else as
/// wilson.by_precision.launch.cpp has it.

#include "device/instances.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/hop.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

#ifdef QUDA_SITE_SUMS

template <class S, int recon> using WilsonSumsArg = SummingHopArg<S, recon, WilsonLegs, AddTo<S, 24, SiteSums>>;

QUDA_INSTANCES(wilson_sums, HopCall, LaunchSiteSums<Hop, WilsonSumsArg>, Stored, WilsonLinks)

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
