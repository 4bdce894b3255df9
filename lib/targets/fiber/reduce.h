#pragma once
/// Exact whole-field sums on fibers: the cuda target's block (cuda/sum_block.h) with plain additions.

#include "core/exact_sum.h"
#include <launch.h>
#include <sum_block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Arg> struct FiberSum {
  const Arg *arg;
  ExactLimbs *sums;
  SumBlocks blocks;
};

template <int dims, class Kernel, class Arg> void fiber_sum_body(void *context, const quda::fiber::FiberThread &thread)
{
  const auto &launch = *static_cast<const FiberSum<Arg> *>(context);
  const Block block {&thread};
  sum_block<dims, Kernel>(block, *launch.arg, launch.blocks, launch.sums);
}

template <int dims, template <class> class Functor, class Arg>
void fiber_launch_sums(const TuneParam &tp, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  const SumGeometry g = sum_geometry<dims, Functor>(tp, arg);
  if (g.weight == 0 || g.sums == 0) return;
  FiberSum<Arg> launch = {&arg, sums, g.blocks};
  for (int i = 0; i < g.sums; i++) exact_normalise(sums[i]);
  quda::fiber::run_grid(g.grid, g.block, g.shared_bytes, true, fiber_sum_body<dims, Kernel, Arg>, &launch);
  for (int i = 0; i < g.sums; i++) {
    sums[i].weight += g.weight;
    exact_normalise(sums[i]);
  }
}

/// sums[i] += sum over all points of f(x, y)[i], exactly; see cuda/reduce.h.
template <template <class> class Functor, class Arg>
void launch_sum_2d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  fiber_launch_sums<2, Functor>(tp, arg, sums);
}

/// sums[z * n + i] += sum over x and y of f(x, y, z)[i].
template <template <class> class Functor, class Arg>
void launch_sum_3d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  fiber_launch_sums<3, Functor>(tp, arg, sums);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
