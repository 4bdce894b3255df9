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
  int scratch;
  unsigned blocks;
};

template <class Kernel, class Arg> void fiber_sum_body(void *context, const quda::fiber::FiberThread &thread)
{
  const auto &launch = *static_cast<const FiberSum<Arg> *>(context);
  const Block block {&thread};
  sum_block<Kernel>(block, *launch.arg, launch.blocks, block.shared() + launch.scratch, launch.sums);
}

/// sums[i] += sum over all points of f(x, y)[i], exactly; see cuda/reduce.h.
template <template <class> class Functor, class Arg>
void launch_sum_2d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  constexpr int n = decltype(instance<const Kernel &>()(0u, 0u))::size;
  const SumGeometry g = sum_geometry<Functor, n>(tp, arg);
  if (g.entries == 0) return;
  FiberSum<Arg> launch = {&arg, sums, g.scratch, g.grid[0]};
  for (int i = 0; i < n; i++) exact_normalise(sums[i]);
  quda::fiber::run_grid(g.grid, g.block, g.shared_bytes, true, fiber_sum_body<Kernel, Arg>, &launch);
  for (int i = 0; i < n; i++) {
    sums[i].weight += g.entries;
    exact_normalise(sums[i]);
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
