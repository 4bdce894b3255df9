#pragma once
/// The element loop: one source for cooperation on a GPU, where each thread of a block has one index of an axis, and on
/// the CPU, where the block is one thread that has all indices.
///
///   for (auto y : elements<Y> {*this}) cache.save_y(value(y), y);
///   cache.sync();
///   for (auto y : elements<Y> {*this}) use(cache.load_y((y + 1) % n));
///
/// A kernel that declares elements<A, most> cooperates along A: the index comes from the loop, counted from the block's
/// first, which the kernel's argument of that axis holds. Along Y and Z a block covers the whole axis (the argument is
/// 0); along X it covers the launch's block size, the last block the remainder. At most `most` indices; the launcher
/// refuses more.

#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <Axis along, int most_elements = 16> struct elements : Operation {
  static constexpr int axis = along;
  static constexpr int most = most_elements;

  template <class Kernel> QUDA_DEVICE explicit elements(const Kernel &kernel)
  {
    require_declared<elements, Kernel>();
    const unsigned left = kernel.arg.threads[along] - kernel.block.start(along);
    const unsigned extent = kernel.block.extent(along);
    number = static_cast<int>(left < extent ? left : extent);
    own = kernel.block.template index<Kernel::warp_split()>(along);
    stop = block_is_thread ? number : own < number ? own + 1 : own;
  }

  struct Iterator {
    int i;
    QUDA_DEVICE int operator*() const { return i; }
    QUDA_DEVICE Iterator &operator++()
    {
      i++;
      return *this;
    }
    QUDA_DEVICE bool operator!=(Iterator other) const { return i != other.i; }
  };

  QUDA_DEVICE Iterator begin() const { return {own}; }
  QUDA_DEVICE Iterator end() const { return {stop}; }

  /// Indices of the whole block along the axis.
  QUDA_DEVICE int count() const { return number; }
  /// The first index of this thread.
  QUDA_DEVICE int first() const { return own; }

private:
  int number, own, stop;
};

/// Values that live across a barrier: one for each of the thread's indices along the axes (one on a GPU). Initially 0.
template <class T, class... Axes> struct element_array {
  static constexpr int size = block_is_thread ? (Axes::most * ... * 1) : 1;

  T data[size];

  QUDA_DEVICE element_array()
  {
    for (int i = 0; i < size; i++) data[i] = T {};
  }

  template <class... I> QUDA_DEVICE T &operator()(I... i) { return data[place(i...)]; }
  template <class... I> QUDA_DEVICE const T &operator()(I... i) const { return data[place(i...)]; }

private:
  template <class... I> QUDA_DEVICE static int place(I... i)
  {
    static_assert(sizeof...(I) == sizeof...(Axes), "one index for each axis of an element_array");
    int at = 0;
    if constexpr (block_is_thread) ((at = at * Axes::most + i), ...);
    return at;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
