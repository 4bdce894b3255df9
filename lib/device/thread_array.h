#pragma once
/// thread_array<T, n, Offset>: n values of one thread, indexed at run time. A GPU would keep such an array in slow
/// local memory, so it lies in shared memory there; on the CPU it is the thread's own. Zero at first. T of 4 or 8
/// bytes.

#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int n, class Offset = void> struct thread_array : Operation {
  using offset = Offset;

  QUDA_DEVICE static constexpr int bytes(Extent block)
  {
    return block_is_thread ? 0 : n * static_cast<int>(sizeof(T)) * block.size[0] * block.size[1] * block.size[2];
  }

  template <class Kernel> QUDA_DEVICE explicit thread_array(const Kernel &kernel)
  {
    require_declared<thread_array, Kernel>();
    if constexpr (!block_is_thread) {
      const Extent block = block_extent(kernel.block);
      memory.data =
          reinterpret_cast<T *>(kernel.block.shared() + shared_begin<thread_array>(block)) + kernel.block.thread();
      memory.stride = block.size[0] * block.size[1] * block.size[2];
    }
    for (int i = 0; i < n; i++) (*this)[i] = T {};
  }

  QUDA_DEVICE T &operator[](int i) { return memory[i]; }
  QUDA_DEVICE const T &operator[](int i) const { return memory[i]; }

private:
  struct Own {
    T data[n];
    QUDA_DEVICE T &operator[](int i) { return data[i]; }
    QUDA_DEVICE const T &operator[](int i) const { return data[i]; }
  };
  struct Shared {
    T *data;
    int stride;
    QUDA_DEVICE T &operator[](int i) const { return data[i * stride]; }
  };
  choose<block_is_thread, Own, Shared> memory;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
