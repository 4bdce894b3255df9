/// Instances of the Polyakov loop.

#include "kernels/gauge/polyakov.h"
#include "device/built.h"
#include "ops/gauge/polyakov_table.h"
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void stretch(const TuneParam &tp, void *stream, const PolyakovCall &call)
  {
    launch_2d<PolyakovStretch>(tp, stream, PolyakovStretchArg<T, recon>(call));
  }

  template <class T> void loop_trace(const TuneParam &tp, void *stream, const PolyakovCall &call, ExactLimbs *sums)
  {
    launch_sum_2d<PolyakovTrace>(tp, stream, PolyakovTraceArg<T>(call), sums);
  }

} // namespace

extern const PolyakovTable polyakov_table;
const PolyakovTable polyakov_table = {QUDA_PRECISION_RECONSTRUCT(stretch), QUDA_PRECISIONS(loop_trace)};

} // namespace quda::QUDA_TARGET_NAMESPACE
