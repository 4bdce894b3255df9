#include "kernel_ops/combine_kernel.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

static ArrayArg arg_of(const ArrayCall &call)
{
  return {{call.threads[0], call.threads[1], call.threads[2]}, call.in, call.out, call.second};
}

static void block(const TuneParam &tp, const ArrayCall &call) { launch_3d<BlockSum>(tp, nullptr, arg_of(call)); }
static void warp(const TuneParam &tp, const ArrayCall &call) { launch_2d<WarpSum>(tp, nullptr, arg_of(call)); }

template <int part> static void in_parts(const TuneParam &tp, const ArrayCall &call)
{
  launch_1d<Parts<part>::template Kernel>(tp, nullptr, arg_of(call));
}

extern const PartsTable parts = {
    {in_parts<part_lengths[0]>, in_parts<part_lengths[1]>, in_parts<part_lengths[2]>, in_parts<part_lengths[3]>}};
extern const CombineTable combine = {block, warp};

} // namespace quda::QUDA_TARGET_NAMESPACE
