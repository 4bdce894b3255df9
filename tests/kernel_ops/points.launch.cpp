#include "kernel_ops/points_kernel.h"
#include "kernel_ops/tables.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

static PointsArg arg_of(const PointsCall &call)
{
  return {{call.threads[0], call.threads[1], call.threads[2]}, call.visits, call.wrong};
}

template <template <class> class Kernel> void one(const TuneParam &tp, const PointsCall &call)
{
  launch_1d<Kernel>(tp, nullptr, arg_of(call));
}
template <template <class> class Kernel> void two(const TuneParam &tp, const PointsCall &call)
{
  launch_2d<Kernel>(tp, nullptr, arg_of(call));
}
template <template <class> class Kernel> void three(const TuneParam &tp, const PointsCall &call)
{
  launch_3d<Kernel>(tp, nullptr, arg_of(call));
}

extern const PointsTable points = {
    {one<Points>, one<LocatedPoints>}, {two<Points>, two<LocatedPoints>}, {three<Points>, three<LocatedPoints>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
