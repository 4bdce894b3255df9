#include "kernel_ops/points_kernel.h"
#include "kernel_ops/tables.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

static PointsArg arg_of(const PointsCall &call)
{
  return {{call.threads[0], call.threads[1], call.threads[2]}, call.visits, call.wrong};
}

static void one(const TuneParam &tp, const PointsCall &call) { launch_1d<Points>(tp, nullptr, arg_of(call)); }
static void two(const TuneParam &tp, const PointsCall &call) { launch_2d<Points>(tp, nullptr, arg_of(call)); }
static void three(const TuneParam &tp, const PointsCall &call) { launch_3d<Points>(tp, nullptr, arg_of(call)); }

extern const PointsTable points = {one, two, three};

} // namespace quda::QUDA_TARGET_NAMESPACE
