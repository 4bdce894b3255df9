/// Instances of the Wilson hop.

#include "ops/dirac/wilson_table.h"
#include "device/built.h"
#include "kernels/dirac/wilson.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void hop(const TuneParam &tp, void *stream, const WilsonCall &call)
  {
    launch_2d<Wilson>(tp, stream, WilsonArg<T, recon>(call, tp));
  }

} // namespace

extern const WilsonTable wilson_table;
const WilsonTable wilson_table = {QUDA_PRECISION_RECONSTRUCT(hop)};

} // namespace quda::QUDA_TARGET_NAMESPACE
