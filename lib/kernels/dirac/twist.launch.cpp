/// The twisted-mass term (kernels/dirac/twist.h), for one flavour and for a doublet.

#include "kernels/dirac/twist.h"
#include "device/instances.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_INSTANCES(twist, TwistCall, Launch3D<Twist, TwistArg>, Stored, Variants<1, 2>)

} // namespace quda::QUDA_TARGET_NAMESPACE
