/// Matrices in the fifth dimension (kernels/dirac/fifth.h), real and complex.

#include "kernels/dirac/fifth.h"
#include "device/instances.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_INSTANCES(fifth, FifthCall, Launch3D<Fifth, FifthArg>, Stored, Variants<0, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
