#pragma once
/// The thread block of a GPU. The object is empty: all data are in the processor's special registers.

#include <lane.h>

namespace quda
{

/// Shared memory that a block of the current device may request, in bytes.
int cuda_shared_bytes();

} // namespace quda

namespace quda::QUDA_TARGET_NAMESPACE
{

inline int most_shared_bytes() { return cuda_shared_bytes(); }

constexpr bool block_is_thread = false;
constexpr int shared_alignment = 16;
constexpr int warp_threads = 32;
constexpr unsigned most_sum_blocks = 1024; // of a whole-field sum, for each y

#if defined(__CUDACC__)

struct Block {
  QUDA_DEVICE int extent(int axis) const
  {
#if defined(__CUDA_ARCH__)
    return axis == 0 ? blockDim.x : axis == 1 ? blockDim.y : blockDim.z;
#else
    return axis < 0;
#endif
  }

  /// First index of the block along an axis.
  QUDA_DEVICE unsigned start(int axis) const
  {
#if defined(__CUDA_ARCH__)
    return axis == 0 ? blockIdx.x * blockDim.x : axis == 1 ? blockIdx.y * blockDim.y : blockIdx.z * blockDim.z;
#else
    return axis < 0;
#endif
  }

  /// Number of the thread in its block.
  QUDA_DEVICE int thread() const
  {
#if defined(__CUDA_ARCH__)
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#else
    return 0;
#endif
  }

  /// Place of the thread in the block. If `split` threads of a warp share a point, a warp is 32 / split points of X
  /// by split of Y, so that the threads of a point are in one warp.
  template <int split> QUDA_DEVICE int index(int axis) const
  {
#if defined(__CUDA_ARCH__)
    if constexpr (split > 1) {
      constexpr unsigned row = warp_threads / split;
      const unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
      if (axis == 0) return t / warp_threads * row + t % row;
      if (axis == 1) return t % warp_threads / row;
    }
    return axis == 0 ? threadIdx.x : axis == 1 ? threadIdx.y : threadIdx.z;
#else
    return axis < 0;
#endif
  }

  QUDA_DEVICE char *shared() const
  {
#if defined(__CUDA_ARCH__)
    extern __shared__ __align__(16) char shared_memory[];
    return shared_memory;
#else
    return nullptr;
#endif
  }

  QUDA_DEVICE void sync() const
  {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }

  /// The word of the thread `step` (a power of two below split) away along Y, at the same point.
  template <int split> QUDA_DEVICE unsigned exchange(unsigned word, int step) const
  {
#if defined(__CUDA_ARCH__)
    constexpr int row = warp_threads / split;
    unsigned point = 0; // the threads of the first point
    for (int y = 0; y < split; y++) point |= 1u << (row * y);
    return __shfl_xor_sync(point << (thread() % row), word, step * row);
#else
    return word + step;
#endif
  }

  /// Sum over the warp, all of whose threads call; true in the thread that holds it.
  QUDA_DEVICE bool warp_total(long long &value) const
  {
#if defined(__CUDA_ARCH__)
    for (int step = warp_threads / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
#endif
    return thread() % warp_threads == 0;
  }

  /// The largest value in the warp, all of whose threads call; true in the thread that holds it.
  QUDA_DEVICE bool warp_max(int &value) const
  {
#if defined(__CUDA_ARCH__)
    for (int step = warp_threads / 2; step > 0; step /= 2) {
      const int other = __shfl_xor_sync(~0u, value, step);
      value = value < other ? other : value;
    }
#endif
    return thread() % warp_threads == 0;
  }

  /// Whether `here` is true in any thread of the warp, all of whose threads call.
  QUDA_DEVICE bool warp_any(bool here) const
  {
#if defined(__CUDA_ARCH__)
    return __any_sync(~0u, here);
#else
    return here;
#endif
  }

  QUDA_DEVICE void atomic_add(long long *sum, long long value) const
  {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long *>(sum), static_cast<unsigned long long>(value));
#else
    *sum += value;
#endif
  }

  QUDA_DEVICE void atomic_max(int *largest, int value) const
  {
#if defined(__CUDA_ARCH__)
    atomicMax(largest, value);
#else
    *largest = *largest < value ? value : *largest;
#endif
  }
};

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
