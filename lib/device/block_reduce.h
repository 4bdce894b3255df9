#pragma once
/// Reductions over the indices a block has of one axis, for every point of the other axes by itself.
///
/// BlockReduce<T, elements<Y>, Offset> goes through shared memory, any number of indices. op_warp_combine<T, split>
/// goes through the registers of a warp: `split` indices of Y (a power of two up to 32, the whole axis) share a point.
/// Both add in one order, a binary tree over the index (upper half onto lower half), the same on every target and
/// whatever the launch's block. Values are given per element: element_array<T, Op::Elements>.

#include "device/elements.h"
#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct Add {
  template <class T> QUDA_DEVICE T operator()(const T &a, const T &b) const { return a + b; }
};

/// First step of the tree: the largest power of two below n.
QUDA_DEVICE constexpr int tree_step(int n)
{
  int step = 1;
  while (2 * step < n) step *= 2;
  return step;
}

template <class T, class Along = elements<Y>, class Offset = void> struct BlockReduce : Operation {
  using offset = Offset;
  using Elements = Along;
  using Values = element_array<T, Along>;
  static constexpr bool synchronises = true;

  QUDA_DEVICE static constexpr int bytes(Extent block)
  {
    return block_is_thread ? 0 : static_cast<int>(sizeof(T)) * block.size[0] * block.size[1] * block.size[2];
  }

  template <class Kernel> QUDA_DEVICE explicit BlockReduce(const Kernel &kernel)
      : block(kernel.block)
  {
    require_declared<BlockReduce, Kernel>();
    const Along along {kernel};
    number = along.count();
    const Extent extent = block_extent(block);
    base = block.shared() + shared_begin<BlockReduce>(extent);
    threads = extent.size[0] * extent.size[1] * extent.size[2];
    constexpr int split = Kernel::warp_split();
    const int own[3] = {block.template index<split>(0), block.template index<split>(1), block.template index<split>(2)};
    index = own[Along::axis];
    stride = Along::axis == X ? 1 : Along::axis == Y ? extent.size[0] : extent.size[0] * extent.size[1];
    first = own[0] + extent.size[0] * (own[1] + extent.size[1] * own[2]) - index * stride;
  }

  /// The sum, in the thread that has index 0 of the axis; undefined in others. All threads of the block call.
  QUDA_DEVICE T sum(const Values &values) const { return reduce<false>(values, Add {}); }
  /// The sum, in all threads.
  QUDA_DEVICE T all_sum(const Values &values) const { return reduce<true>(values, Add {}); }

  /// The same for any commutative combination of two T.
  template <bool broadcast, class Combine> QUDA_DEVICE T reduce(const Values &values, Combine combine) const
  {
    if constexpr (block_is_thread) {
      T part[Values::size];
      part[0] = values(0);
      for (int i = 1; i < number; i++) part[i] = values(i);
      if (number > 1)
        for (int step = tree_step(number); step > 0; step /= 2)
          for (int i = 0; i < step && i + step < number; i++) part[i] = combine(part[i], part[i + step]);
      return part[0];
    } else {
      T part = values(index);
      block.sync(); // whoever used this memory before has done with it
      if (number > 1) {
        for (int step = tree_step(number); step > 0; step /= 2) {
          if (index >= step && index < 2 * step && index < number) shared_store(base, threads, at(index), part);
          block.sync();
          if (index < step && index + step < number)
            part = combine(part, shared_load<T>(base, threads, at(index + step)));
        }
      }
      if constexpr (broadcast) {
        if (index == 0) shared_store(base, threads, at(0), part);
        block.sync();
        part = shared_load<T>(base, threads, at(0));
      }
      return part;
    }
  }

private:
  QUDA_DEVICE int at(int i) const { return first + i * stride; }

  Block block;
  char *base;
  int number, threads, index, stride, first;
};

template <class T, int split> struct op_warp_combine : Operation {
  static_assert(split >= 1 && split <= 32 && (split & (split - 1)) == 0, "a warp splits into a power of two");
  using Elements = elements<Y, split>;
  using Values = element_array<T, Elements>;
  static constexpr bool synchronises = true;
  static constexpr int warp_split = split;

  template <class Kernel> QUDA_DEVICE explicit op_warp_combine(const Kernel &kernel)
      : block(kernel.block)
  {
    require_declared<op_warp_combine, Kernel>();
    static_assert(declares<Elements>(static_cast<const Kernel *>(nullptr)),
                  "op_warp_combine<T, split> goes with elements<Y, split> in the kernel's KernelOps<...>");
  }

  /// The sum over the axis, in all threads. Threads that share a point call together.
  QUDA_DEVICE T operator()(const Values &values) const
  {
    if constexpr (block_is_thread) {
      T part[split];
      QUDA_UNROLL
      for (int i = 0; i < split; i++) part[i] = values(i);
      QUDA_UNROLL
      for (int step = split / 2; step > 0; step /= 2)
        for (int i = 0; i < step; i++) part[i] = part[i] + part[i + step];
      return part[0];
    } else {
      static_assert(sizeof(T) % 4 == 0, "a warp exchanges 4-byte words");
      T part = values(0);
      QUDA_UNROLL
      for (int step = split / 2; step > 0; step /= 2) {
        T other;
        QUDA_UNROLL
        for (int i = 0; i < static_cast<int>(sizeof(T) / 4); i++) {
          unsigned word;
          __builtin_memcpy(&word, reinterpret_cast<const char *>(&part) + 4 * i, 4);
          word = block.template exchange<split>(word, step);
          __builtin_memcpy(reinterpret_cast<char *>(&other) + 4 * i, &word, 4);
        }
        part = part + other;
      }
      return part;
    }
  }

private:
  Block block;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
