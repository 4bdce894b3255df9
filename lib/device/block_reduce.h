#pragma once
/// Reductions over a block's indices along one axis, for every point of the other axes separately.
///
/// BlockReduce<T, elements<Y>, Offset>        any number of indices; through shared memory, or through the registers of
///                                            a warp where the indices are a run of threads within one
/// BlockReduce<T, elements<X>, Offset, part>  the indices are cut into runs of `part`, each reduced separately: each()
/// op_warp_combine<T, split>                  through the registers of a warp: `split` indices of Y (a power of two up
///                                            to 32, the whole axis) share a point
/// All combine in one order, a binary tree over the index (upper half onto lower half), the same on every target,
/// through shared memory or registers, and whatever the launch's block. Operators (device/reducers.h) need only be
/// commutative. Values are given per element: element_array<T, Op::Elements>.

#include "device/elements.h"
#include "device/reducers.h"
#include "device/shared_words.h"
#include <warp.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// First step of the tree: the largest power of two below n.
QUDA_DEVICE constexpr int tree_step(int n)
{
  int step = 1;
  while (2 * step < n) step *= 2;
  return step;
}

/// value[0] = the combination of value[0 ... n).
template <class T, class Combine> QUDA_DEVICE void combine_tree(T *value, int n, Combine combine)
{
  if (n > 1)
    for (int step = tree_step(n); step > 0; step /= 2)
      for (int i = 0; i < step && i + step < n; i++) value[i] = combine(value[i], value[i + step]);
}

/// The object of another thread of a run within a warp.
template <class T> QUDA_DEVICE T warp_object(const Block &block, const T &object, int thread, int run)
{
  static_assert(sizeof(T) % 4 == 0, "a warp exchanges 4-byte words");
  T other;
  QUDA_UNROLL
  for (int i = 0; i < static_cast<int>(sizeof(T) / 4); i++) {
    unsigned word;
    __builtin_memcpy(&word, reinterpret_cast<const char *>(&object) + 4 * i, 4);
    word = warp_word(block, word, thread, run);
    __builtin_memcpy(reinterpret_cast<char *>(&other) + 4 * i, &word, 4);
  }
  return other;
}

template <class T, class Along = elements<Y>, class Offset = void, int part = 0> struct BlockReduce : Operation {
  static_assert(part >= 0, "indices are cut into runs of a positive length");
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
    length = part > 0 ? part : extent.size[Along::axis];
    // a run of threads that begins at a multiple of its length lies in one warp
    const bool power = (length & (length - 1)) == 0;
    within_warp = Along::axis == X && split == 1 && power && length <= 32 && extent.size[0] % length == 0;
  }

  /// The sum, in the thread that has index 0 of the axis; undefined in others. All threads of the block call.
  QUDA_DEVICE T sum(const Values &values) const { return reduce<false>(values, Add {}); }
  QUDA_DEVICE T min(const Values &values) const { return reduce<false>(values, Minimum {}); }
  QUDA_DEVICE T max(const Values &values) const { return reduce<false>(values, Maximum {}); }
  /// The sum, in all threads.
  QUDA_DEVICE T all_sum(const Values &values) const { return reduce<true>(values, Add {}); }
  QUDA_DEVICE T all_min(const Values &values) const { return reduce<true>(values, Minimum {}); }
  QUDA_DEVICE T all_max(const Values &values) const { return reduce<true>(values, Maximum {}); }

  /// The same for any commutative combination of two T.
  template <bool broadcast, class Combine> QUDA_DEVICE T reduce(const Values &values, Combine combine) const
  {
    static_assert(part == 0, "an axis in parts has a result for each: each(values, combine)");
    if constexpr (block_is_thread) {
      T partial[Values::size];
      partial[0] = values(0);
      for (int i = 1; i < number; i++) partial[i] = values(i);
      combine_tree(partial, number, combine);
      return partial[0];
    } else {
      return of_run<broadcast>(values(index), combine);
    }
  }

  /// Reductions side by side: at each index the combination of its run, indices part r ... part (r + 1) - 1; the last
  /// run may be shorter. All threads of the block call.
  template <class Combine> QUDA_DEVICE Values each(const Values &values, Combine combine) const
  {
    static_assert(part > 0, "BlockReduce<T, Along, Offset, part> has parts");
    Values result = values;
    if constexpr (block_is_thread) {
      for (int begin = 0; begin < number; begin += part) {
        const int n = number - begin < part ? number - begin : part;
        T partial[part > 0 ? part : 1];
        for (int i = 0; i < n; i++) partial[i] = values(begin + i);
        combine_tree(partial, n, combine);
        for (int i = 0; i < n; i++) result(begin + i) = partial[0];
      }
    } else {
      result(index) = of_run<true>(values(index), combine);
    }
    return result;
  }

private:
  /// The reduction over the run of `length` indices that contains the thread's own.
  template <bool broadcast, class Combine> QUDA_DEVICE T of_run(T value, Combine combine) const
  {
    const int begin = index / length * length, i = index - begin;
    const int n = number - begin < length ? number - begin : length;
    if (within_warp) {
      const int run = block.thread() - i; // the thread of the run's first index
      for (int step = length / 2; step > 0; step /= 2) {
        const T other = warp_object(block, value, run + (i + step) % length, length);
        if (i < step && i + step < n) value = combine(value, other);
      }
      return broadcast ? warp_object(block, value, run, length) : value;
    }
    block.sync(); // all previous users of this memory are done
    for (int step = tree_step(length); step > 0 && length > 1; step /= 2) {
      if (i >= step && i < 2 * step && i < n) shared_store(base, threads, at(index), value);
      block.sync();
      if (i < step && i + step < n) value = combine(value, shared_load<T>(base, threads, at(index + step)));
    }
    if constexpr (broadcast) {
      if (i == 0) shared_store(base, threads, at(begin), value);
      block.sync();
      value = shared_load<T>(base, threads, at(begin));
    }
    return value;
  }

  QUDA_DEVICE int at(int i) const { return first + i * stride; }

  Block block;
  char *base;
  int number, threads, index, stride, first, length;
  bool within_warp;
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
  QUDA_DEVICE T operator()(const Values &values) const { return reduce(values, Add {}); }

  /// The same for any commutative combination of two T.
  template <class Combine> QUDA_DEVICE T reduce(const Values &values, Combine combine) const
  {
    if constexpr (block_is_thread) {
      T part[split];
      QUDA_UNROLL
      for (int i = 0; i < split; i++) part[i] = values(i);
      QUDA_UNROLL
      for (int step = split / 2; step > 0; step /= 2)
        for (int i = 0; i < step; i++) part[i] = combine(part[i], part[i + step]);
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
        part = combine(part, other);
      }
      return part;
    }
  }

private:
  Block block;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
