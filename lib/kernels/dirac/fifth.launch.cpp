/// Matrices in the fifth dimension (kernels/dirac/fifth.h).

#include "kernels/dirac/fifth.h"
#include "device/instances.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_INSTANCES(fifth, FifthCall, Launch3D<Fifth, FifthArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
