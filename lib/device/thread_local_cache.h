#pragma once
/// ThreadLocalCache<T, n, Offset>: n objects that a thread sets aside to free registers; n = 0 is a single one. In
/// shared memory on GPUs, the thread's own memory on the CPU. Not initialised. No other thread sees it.

#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int n = 0, class Offset = void> struct ThreadLocalCache : Operation {
  using offset = Offset;
  static constexpr int objects = n > 0 ? n : 1;

  QUDA_DEVICE static constexpr int bytes(Extent block)
  {
    return block_is_thread ? 0 : objects * static_cast<int>(sizeof(T)) * block.size[0] * block.size[1] * block.size[2];
  }

  template <class Kernel> QUDA_DEVICE explicit ThreadLocalCache(const Kernel &kernel)
  {
    require_declared<ThreadLocalCache, Kernel>();
    if constexpr (!block_is_thread) {
      const Extent block = block_extent(kernel.block);
      memory.threads = block.size[0] * block.size[1] * block.size[2];
      memory.thread = kernel.block.thread();
      memory.base = kernel.block.shared() + shared_begin<ThreadLocalCache>(block);
    }
  }

  QUDA_DEVICE void save(const T &value, int i = 0) { memory.save(value, i); }
  QUDA_DEVICE T load(int i = 0) const { return memory.load(i); }

  /// The single object reads and is assigned like a T.
  QUDA_DEVICE ThreadLocalCache &operator=(const T &value)
  {
    static_assert(n == 0, "a cache of several objects is written by save(value, i)");
    save(value);
    return *this;
  }
  QUDA_DEVICE operator T() const
  {
    static_assert(n == 0, "a cache of several objects is read by load(i)");
    return load();
  }

private:
  struct Own {
    T data[objects];
    QUDA_DEVICE void save(const T &value, int i) { data[i] = value; }
    QUDA_DEVICE T load(int i) const { return data[i]; }
  };
  struct Shared {
    char *base;
    int threads, thread;
    QUDA_DEVICE void save(const T &value, int i) const
    {
      shared_store(base + i * static_cast<int>(sizeof(T)) * threads, threads, thread, value);
    }
    QUDA_DEVICE T load(int i) const
    {
      return shared_load<T>(base + i * static_cast<int>(sizeof(T)) * threads, threads, thread);
    }
  };
  choose<block_is_thread, Own, Shared> memory;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
