/// Instances of link updates and momentum actions.

#include "device/built.h"
#include "kernels/force/momentum_action.h"
#include "kernels/force/update.h"
#include "ops/force/momentum_table.h"
#include <launch.h>
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void update(const TuneParam &tp, void *stream, const UpdateCall &call)
  {
    launch_2d<Update>(tp, stream, UpdateArg<T, recon>(call, tp));
  }

  template <class T> void action(const TuneParam &tp, void *stream, const MomentumActionCall &call, ExactLimbs *sum)
  {
    launch_sum_2d<MomentumAction>(tp, stream, MomentumActionArg<T>(call, tp), sum);
  }

} // namespace

extern const MomentumTable momentum_table;
const MomentumTable momentum_table = {QUDA_PRECISION_RECONSTRUCT(update), QUDA_PRECISIONS(action)};

} // namespace quda::QUDA_TARGET_NAMESPACE
