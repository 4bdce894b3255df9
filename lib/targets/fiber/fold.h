#pragma once
/// Reductions of a whole field with an operator on fibers: the cuda target's blocks (cuda/fold_block.h).

#include <fold_block.h>
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Kernel, class Arg> struct FiberFold {
  const Arg *arg;
  typename Folded<Kernel>::value_type *parts;
  unsigned blocks;
};

template <class Kernel, class Op, class Arg> void fiber_fold_body(void *context, const quda::fiber::FiberThread &thread)
{
  const auto &launch = *static_cast<const FiberFold<Kernel, Arg> *>(context);
  fold_block<Kernel, Op>(Block {&thread}, *launch.arg, launch.blocks, launch.parts);
}

template <class Kernel, class Op, class Arg>
void fiber_parts_body(void *context, const quda::fiber::FiberThread &thread)
{
  const auto &launch = *static_cast<const FiberFold<Kernel, Arg> *>(context);
  fold_parts<Folded<Kernel>, Op>(Block {&thread}, static_cast<int>(launch.blocks), launch.parts);
}

/// See cpu/fold.h.
template <template <class> class Functor, class Op, class Arg>
void launch_fold_2d(const TuneParam &tp, void *, const Arg &arg, void *parts)
{
  using Kernel = Functor<Arg>;
  using Value = Folded<Kernel>;
  require_fold<Op, Kernel>();
  const FoldGeometry g = fold_geometry<Value>(tp, arg);
  FiberFold<Kernel, Arg> launch = {&arg, static_cast<typename Value::value_type *>(parts), g.grid[0]};
  quda::fiber::run_grid(g.grid, g.block, g.shared_bytes, true, fiber_fold_body<Kernel, Op, Arg>, &launch);
  const unsigned one[3] = {1, 1, 1};
  quda::fiber::run_grid(one, g.block, g.shared_bytes, true, fiber_parts_body<Kernel, Op, Arg>, &launch);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
