#pragma once
/// The fiber target's thread block: the interface and geometry of a GPU's, run on the host (fiber_runtime.h).

#include "targets/fiber/fiber_runtime.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr bool block_is_thread = false;
constexpr int shared_alignment = 16;
constexpr int warp_threads = 32;
constexpr int most_shared_bytes() { return 227 * 1024; } // of compute capability 9.0
constexpr unsigned most_sum_blocks = 3; // of a whole-field sum, for each y: starting a fiber costs more than a turn

struct Block {
  const quda::fiber::FiberThread *self;

  QUDA_DEVICE int extent(int axis) const { return self->extent[axis]; }
  QUDA_DEVICE unsigned start(int axis) const { return self->at[axis] * self->extent[axis]; }
  QUDA_DEVICE int thread() const { return self->number; }
  QUDA_DEVICE char *shared() const { return self->shared; }
  QUDA_DEVICE void sync() const { quda::fiber::wait_for_block(*self); }

  template <int split> QUDA_DEVICE int index(int axis) const
  {
    if constexpr (split > 1) {
      constexpr int row = warp_threads / split;
      const int t = self->index[0] + self->extent[0] * self->index[1];
      if (axis == 0) return t / warp_threads * row + t % row;
      if (axis == 1) return t % warp_threads / row;
    }
    return self->index[axis];
  }

  template <int split> QUDA_DEVICE unsigned exchange(unsigned word, int step) const
  {
    const int lane = self->number % warp_threads;
    return quda::fiber::exchange_words(*self, word, lane ^ (step * (warp_threads / split)));
  }

  /// A sum on one processor needs no warp: every thread has its own.
  QUDA_DEVICE bool warp_total(long long &) const { return true; }
  QUDA_DEVICE bool warp_max(int &) const { return true; }
  QUDA_DEVICE bool warp_any(bool here) const { return here; }

  QUDA_DEVICE void atomic_add(long long *sum, long long value) const { *sum += value; }
  QUDA_DEVICE void atomic_max(int *largest, int value) const { *largest = *largest < value ? value : *largest; }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
