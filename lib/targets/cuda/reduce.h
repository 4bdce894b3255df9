#pragma once
/// Exact whole-field sums on a GPU (sum_block.h), one bit pattern whatever the launch.

#include <launch.h>
#include <sum_block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

#if defined(__CUDACC__)

template <int dims, class Kernel, class Arg>
__global__ void cuda_sum_kernel(const __grid_constant__ Arg arg, const SumBlocks blocks, ExactLimbs *sums)
{
  sum_block<dims, Kernel>(Block {}, arg, blocks, sums);
}

template <int dims, template <class> class Functor, class Arg>
void cuda_launch_sums(const TuneParam &tp, void *stream, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  const auto *const kernel = reinterpret_cast<const void *>(&cuda_sum_kernel<dims, Kernel, Arg>);
  const SumGeometry g = sum_geometry<dims, Functor>(tp, arg, cuda_most_threads(kernel));
  if (g.weight == 0 || g.sums == 0) return;
  SumBlocks blocks = g.blocks;
  ExactLimbs *device_sums;
  void *arguments[] = {const_cast<Arg *>(&arg), &blocks, &device_sums};
  cuda_launch_sum(kernel, g.grid, g.block, g.shared_bytes, stream, arguments, __PRETTY_FUNCTION__, &device_sums, sums,
                  g.sums, g.weight);
}

/// sums[i] += sum over all points of f(x, y)[i], exactly. f returns array<double, n> or array<float, n>, one entry a
/// site. tp.grid[0] blocks (0: as many as cover x, at most most_sum_blocks) for each y. `sums` is host memory, zeroed
/// by the caller. Complete on return.
template <template <class> class Functor, class Arg>
void launch_sum_2d(const TuneParam &tp, void *stream, const Arg &arg, ExactLimbs *sums)
{
  cuda_launch_sums<2, Functor>(tp, stream, arg, sums);
}

/// sums[z * n + i] += sum over x and y of f(x, y, z)[i].
template <template <class> class Functor, class Arg>
void launch_sum_3d(const TuneParam &tp, void *stream, const Arg &arg, ExactLimbs *sums)
{
  cuda_launch_sums<3, Functor>(tp, stream, arg, sums);
}

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
