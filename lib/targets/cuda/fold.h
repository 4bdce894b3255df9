#pragma once
/// Reductions of a whole field with an operator on a GPU (fold_block.h): blocks first, then their parts in one block.

#include <fold_block.h>
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

#if defined(__CUDACC__)

template <class Kernel, class Op, class Arg>
__global__ void cuda_fold_kernel(const __grid_constant__ Arg arg, typename Folded<Kernel>::value_type *parts)
{
  fold_block<Kernel, Op>(Block {}, arg, gridDim.x, parts);
}

template <class Value, class Op> __global__ void cuda_fold_parts(int count, typename Value::value_type *parts)
{
  fold_parts<Value, Op>(Block {}, count, parts);
}

/// See cpu/fold.h.
template <template <class> class Functor, class Op, class Arg>
void launch_fold_2d(const TuneParam &tp, void *stream, const Arg &arg, void *parts)
{
  using Kernel = Functor<Arg>;
  using Value = Folded<Kernel>;
  require_fold<Op, Kernel>();
  const auto *const blocks = reinterpret_cast<const void *>(&cuda_fold_kernel<Kernel, Op, Arg>);
  const auto *const last = reinterpret_cast<const void *>(&cuda_fold_parts<Value, Op>);
  const int most = cuda_most_threads(blocks), most_of_last = cuda_most_threads(last);
  const FoldGeometry g = fold_geometry<Value>(tp, arg, most < most_of_last ? most : most_of_last);
  void *arguments[] = {const_cast<Arg *>(&arg), &parts};
  cuda_launch(blocks, g.grid, g.block, g.shared_bytes, stream, arguments, __PRETTY_FUNCTION__);
  int count = static_cast<int>(g.grid[0]);
  const unsigned one[3] = {1, 1, 1};
  void *rest[] = {&count, &parts};
  cuda_launch(last, one, g.block, g.shared_bytes, stream, rest, __PRETTY_FUNCTION__);
}

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
