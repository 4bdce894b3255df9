#pragma once
/// Reductions of a whole field with an operator on scalar targets: the work of one block.

#include "targets/shared/fold_numbers.h"
#include <grid.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// parts[n block + i] = the block's combination: all threads of the block call. `shared`: room for a value of each.
template <class Op, class Value> QUDA_DEVICE void write_part(const Block &block, Value value, char *shared,
                                                             unsigned part, typename Value::value_type *parts)
{
  auto *const values = reinterpret_cast<Value *>(shared);
  const int thread = block.thread(), threads = block.extent(0);
  int step = 1;
  while (2 * step < threads) step *= 2;
  values[thread] = value;
  block.sync();
  for (; step > 0; step /= 2) {
    if (thread < step && thread + step < threads) values[thread] = Op {}(values[thread], values[thread + step]);
    block.sync();
  }
  if (thread == 0)
    for (int i = 0; i < Value::size; i++) parts[Value::size * part + i] = values[0][i];
}

/// One block of `blocks`: every blocks-th stretch of x, all y.
template <class Kernel, class Op, class Arg> QUDA_DEVICE void
fold_block(const Block &block, const Arg &arg, unsigned blocks, typename Folded<Kernel>::value_type *parts)
{
  const Kernel kernel {{block}, arg};
  const unsigned threads = block.extent(0);
  Folded<Kernel> value;
  Op::nothing(value);
  for (unsigned long long x = block.start(0) + block.thread(); x < arg.threads[0]; x += 1ULL * blocks * threads)
    for (unsigned y = 0; y < arg.threads[1]; y++) value = Op {}(value, kernel(static_cast<unsigned>(x), y));
  write_part<Op>(block, value, block.shared(), block.start(0) / threads, parts);
}

/// The last block: all parts into the first.
template <class Value, class Op>
QUDA_DEVICE void fold_parts(const Block &block, int count, typename Value::value_type *parts)
{
  Value value;
  Op::nothing(value);
  for (int p = block.thread(); p < count; p += block.extent(0)) {
    Value next;
    for (int i = 0; i < Value::size; i++) next[i] = parts[Value::size * p + i];
    value = Op {}(value, next);
  }
  write_part<Op>(block, value, block.shared(), 0, parts); // its first barrier comes after all reads
}

struct FoldGeometry {
  unsigned block[3];
  unsigned grid[3];
  int shared_bytes;
};

template <class Value, class Arg>
FoldGeometry fold_geometry(const TuneParam &tp, const Arg &arg, int most_threads = most_block_threads)
{
  unsigned threads = tp.block[0] > 0 ? tp.block[0] : default_block;
  if (threads > most_block_threads)
    launch_error(__PRETTY_FUNCTION__, "threads of a block", threads, 1, most_block_threads);
  threads = allowed_threads(__PRETTY_FUNCTION__, threads, 1, most_threads, 1);
  const unsigned covering = (arg.threads[0] + threads - 1) / threads;
  unsigned blocks = tp.grid[0] > 0 ? tp.grid[0] : most_sum_blocks;
  blocks = blocks < covering ? blocks : covering > 0 ? covering : 1;
  if (blocks > most_fold_parts) blocks = most_fold_parts;
  return {{threads, 1, 1}, {blocks, 1, 1}, static_cast<int>(threads * sizeof(Value))};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
