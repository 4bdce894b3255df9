/// Instances of sums and traces over arbitrary paths.

#include "device/built.h"
#include "kernels/force/walk.h"
#include "ops/force/path_table.h"
#include <launch.h>
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void walk(const TuneParam &tp, void *stream, const PathWalkCall &call)
  {
    launch_2d<PathWalk>(tp, stream, PathWalkArg<T, recon>(call, tp));
  }

  template <class T, int recon>
  void loop_trace(const TuneParam &tp, void *stream, const LoopTraceCall &call, ExactLimbs *sums)
  {
    launch_sum_2d<LoopTrace>(tp, stream, LoopTraceArg<T, recon>(call, tp), sums);
  }

} // namespace

extern const PathWalkTable path_walk_table;
const PathWalkTable path_walk_table = {QUDA_PRECISION_RECONSTRUCT(walk), QUDA_PRECISION_RECONSTRUCT(loop_trace)};

} // namespace quda::QUDA_TARGET_NAMESPACE
