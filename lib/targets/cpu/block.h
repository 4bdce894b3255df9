#pragma once
/// The CPU's thread block: one thread, which has every element of its kernel's cooperating axes.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr bool block_is_thread = true;
constexpr int shared_alignment = 64;

struct Block {
  char *memory;      // shared memory, 64-byte aligned; null if the kernel has none
  int size[3];       // elements; 1 along axes that do not cooperate
  unsigned first[3]; // index of the first element; 0 along axes that do not cooperate

  QUDA_DEVICE int extent(int axis) const { return size[axis]; }
  QUDA_DEVICE unsigned start(int axis) const { return first[axis]; }
  template <int split> QUDA_DEVICE int index(int) const { return 0; }
  QUDA_DEVICE int thread() const { return 0; }
  template <int split> QUDA_DEVICE unsigned exchange(unsigned word, int) const { return word; }
  QUDA_DEVICE char *shared() const { return memory; }
  QUDA_DEVICE void sync() const {}
};

} // namespace quda::QUDA_TARGET_NAMESPACE
