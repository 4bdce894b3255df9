#pragma once
/// Launches on a GPU: f(x), f(x, y), f(x, y, z) for every point of the index space, a thread a point (or an element of
/// one, for kernels that cooperate). Blocks are tp.block, the grid covers the space. Asynchronous in `stream`.
///
/// This file uses only the language of CUDA, not the run time: kernels start through plain functions of
/// cuda_target.cu, which throw Error(device) with the kernel's name.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include <grid.h>

namespace quda
{

/// Threads that a block of the kernel may have on the current device, as its registers allow.
int cuda_most_threads(const void *kernel);

/// `launcher`: __PRETTY_FUNCTION__ of the launching template, which contains the kernel's name.
void cuda_launch(const void *kernel, const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes,
                 void *stream, void **arguments, const char *launcher);

/// The same for a kernel that adds to accumulators on the device: puts the address of n zeros into *device_sums (an
/// argument of the kernel), launches, waits, and adds them to `sums` on the host, each with this weight
/// (core/exact_limbs.h).
void cuda_launch_sum(const void *kernel, const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes,
                     void *stream, void **arguments, const char *launcher, ExactLimbs **device_sums, ExactLimbs *sums,
                     int n, long long weight);

} // namespace quda

namespace quda::QUDA_TARGET_NAMESPACE
{

#if defined(__CUDACC__)

template <int dims, class Kernel, class Arg> __global__ void cuda_kernel(const __grid_constant__ Arg arg)
{
  thread_work<dims, Kernel>(Block {}, arg);
}

/// The same with registers for the largest block, at the price of spills: if nothing smaller will do.
template <int dims, class Kernel, class Arg> __global__ void __launch_bounds__(most_block_threads)
    cuda_whole_kernel(const __grid_constant__ Arg arg)
{
  thread_work<dims, Kernel>(Block {}, arg);
}

/// Threads that axes which lie whole in a block require, and the most that they may have.
template <class Kernel, class Arg> long long whole_threads(const Arg &arg)
{
  return (Kernel::cooperates(1) ? 1LL * arg.threads[1] : 1) * (Kernel::cooperates(2) ? 1LL * arg.threads[2] : 1);
}
template <class Kernel> constexpr long long most_whole_threads()
{
  return (Kernel::cooperates(1) ? 1LL * Kernel::most(1) : 1) * (Kernel::cooperates(2) ? 1LL * Kernel::most(2) : 1);
}

template <int dims, template <class> class Functor, class Arg>
void launch_nd(const TuneParam &tp, void *stream, const Arg &arg)
{
  constexpr int always_allowed = 256; // whatever the kernel's registers
  const void *kernel = reinterpret_cast<const void *>(&cuda_kernel<dims, Functor<Arg>, Arg>);
  int most = cuda_most_threads(kernel);
  if constexpr (most_whole_threads<Functor<Arg>>() > always_allowed)
    if (whole_threads<Functor<Arg>>(arg) > most) {
      kernel = reinterpret_cast<const void *>(&cuda_whole_kernel<dims, Functor<Arg>, Arg>);
      most = most_block_threads;
    }
  const Geometry g = geometry<dims, Functor>(tp, arg, most);
  if (!covers_something(g)) return;
  void *arguments[] = {const_cast<Arg *>(&arg)};
  cuda_launch(kernel, g.grid, g.block, g.shared_bytes, stream, arguments, __PRETTY_FUNCTION__);
}

template <template <class> class Functor, class Arg> void launch_1d(const TuneParam &tp, void *stream, const Arg &arg)
{
  launch_nd<1, Functor>(tp, stream, arg);
}

template <template <class> class Functor, class Arg> void launch_2d(const TuneParam &tp, void *stream, const Arg &arg)
{
  launch_nd<2, Functor>(tp, stream, arg);
}

template <template <class> class Functor, class Arg> void launch_3d(const TuneParam &tp, void *stream, const Arg &arg)
{
  launch_nd<3, Functor>(tp, stream, arg);
}

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
