#pragma once
/// Exact whole-field sums on scalar targets: what one block does. Integers all the way, so neither the grid nor the
/// order of atomic additions changes a bit.
///
/// Each thread adds its entries, cut into 32-bit digits, to six 64-bit limbs in registers: a window of the accumulator
/// (core/exact_limbs.h) whose place the block chooses from its first entries. Entries outside go to the accumulator at
/// once. At the end the block's windows are added up, and one atomic addition a limb carries them over.

#include "core/exact_limbs.h"
#include <grid.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int window_limbs = 6;
constexpr int window_below = 2; // limbs of the window below the lowest digit of the largest first entry

/// A double as +-m 2^(32 k + shift) in units of the smallest subnormal; special when infinite or NaN.
struct Digits {
  long long d[3]; // signed
  int k;
  bool special;
};

QUDA_DEVICE unsigned long long bits_of(double x)
{
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  return bits;
}

QUDA_DEVICE Digits digits_of(double x)
{
  const unsigned long long bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const unsigned long long fraction = bits & ((1ULL << 52) - 1);
  const unsigned long long m = exponent ? fraction | 1ULL << 52 : fraction;
  const int bit = exponent ? exponent - 1 : 0;
  const int shift = bit % exact_limb_bits;
  const unsigned long long low = m << shift, high = shift ? m >> (64 - shift) : 0;
  Digits digits;
  digits.d[0] = static_cast<long long>(low & 0xffffffffULL);
  digits.d[1] = static_cast<long long>(low >> 32);
  digits.d[2] = static_cast<long long>(high);
  digits.k = bit / exact_limb_bits;
  digits.special = exponent == 0x7ff;
  if (bits >> 63) QUDA_UNROLL
  for (int q = 0; q < 3; q++) digits.d[q] = -digits.d[q];
  return digits;
}

QUDA_DEVICE void add_special(const Block &block, ExactLimbs &sum, double x)
{
  const unsigned long long bits = bits_of(x);
  if (bits & ((1ULL << 52) - 1))
    block.atomic_add(&sum.nan, 1);
  else
    block.atomic_add(bits >> 63 ? &sum.negative_infinity : &sum.positive_infinity, 1);
}

/// Shared memory for n sums.
QUDA_DEVICE constexpr int sum_shared_bytes(int n)
{
  return n * (window_limbs * static_cast<int>(sizeof(long long)) + static_cast<int>(sizeof(long long)));
}

/// A value of the type, for decltype only.
template <class T> T instance();

template <int dims, class Kernel> QUDA_DEVICE auto sum_entry(const Kernel &kernel, unsigned x, unsigned y, unsigned z)
{
  if constexpr (dims == 2)
    return kernel(x, y);
  else
    return kernel(x, y, z);
}

/// Sums of one z.
template <int dims, class Kernel> constexpr int sums_of =
    decltype(sum_entry<dims>(instance<const Kernel &>(), 0u, 0u, 0u))::size;

struct SumGeometry {
  unsigned block[3];
  unsigned grid[3];
  int shared_bytes;
  int scratch;       // where the sum's own part of shared memory begins
  long long entries; // that enter each sum
  int sums;
};

template <int dims, template <class> class Functor, class Arg>
SumGeometry sum_geometry(const TuneParam &tp, const Arg &arg)
{
  constexpr int n = sums_of<dims, Functor<Arg>>;
  unsigned threads = tp.block[0] > 0 ? tp.block[0] : default_block;
  threads = (threads + warp_threads - 1) / warp_threads * warp_threads;
  if (threads > most_block_threads)
    launch_error(__PRETTY_FUNCTION__, "threads of a block", threads, 1, most_block_threads);
  SumGeometry g;
  g.block[0] = threads;
  g.block[1] = g.block[2] = 1;
  const unsigned covering = (arg.threads[0] + threads - 1) / threads;
  const unsigned wished = tp.grid[0] > 0 ? tp.grid[0] : most_sum_blocks;
  g.grid[0] = covering < wished ? covering : wished;
  g.grid[1] = arg.threads[1];
  g.grid[2] = dims == 3 ? arg.threads[2] : 1;
  g.sums = n * static_cast<int>(g.grid[2]);
  const int own = Functor<Arg>::shared_bytes(threads, 1, 1);
  g.scratch = (own + shared_alignment - 1) / shared_alignment * shared_alignment;
  g.shared_bytes = g.scratch + sum_shared_bytes(n);
  if (g.shared_bytes < tp.shared_bytes) g.shared_bytes = tp.shared_bytes;
  g.entries = static_cast<long long>(arg.threads[0]) * arg.threads[1];
  if (g.shared_bytes > most_shared_bytes())
    launch_error(__PRETTY_FUNCTION__, "bytes of shared memory", g.shared_bytes, 0, most_shared_bytes());
  if (g.entries > exact_weight_limit)
    launch_error(__PRETTY_FUNCTION__, "entries of a sum", g.entries, 0, exact_weight_limit);
  return g;
}

/// The block's part of sums[z * n + i] += f(x, y, z)[i]: one y and z, and every `blocks`-th stretch of x. All threads
/// of the block call; blocks are one row of whole warps. `scratch` is 16-byte aligned shared memory of
/// sum_shared_bytes.
template <int dims, class Kernel, class Arg>
QUDA_DEVICE void sum_block(const Block &block, const Arg &arg, unsigned blocks, char *scratch, ExactLimbs *sums)
{
  const Kernel kernel {{block}, arg};
  constexpr int n = sums_of<dims, Kernel>;
  const int thread = block.thread();
  const int threads = block.extent(0);
  auto *total = reinterpret_cast<long long *>(scratch);
  int *place = reinterpret_cast<int *>(total + n * window_limbs);
  for (int i = thread; i < n * window_limbs; i += threads) total[i] = 0;
  if (thread < n) place[thread] = 0;
  block.sync();

  long long window[n][window_limbs];
  int base[n];
  QUDA_UNROLL
  for (int i = 0; i < n; i++) {
    base[i] = 0;
    QUDA_UNROLL
    for (int q = 0; q < window_limbs; q++) window[i][q] = 0;
  }

  const unsigned y = block.start(1), z = block.start(2);
  sums += z * n;
  const unsigned long long step = static_cast<unsigned long long>(blocks) * threads;
  bool first = true;
  for (unsigned long long x0 = block.start(0); x0 < arg.threads[0]; x0 += step) { // the same turns for all threads
    double entry[n];
    QUDA_UNROLL
    for (int i = 0; i < n; i++) entry[i] = 0.0;
    const unsigned long long x = x0 + thread;
    if (x < arg.threads[0]) {
      const auto value = sum_entry<dims>(kernel, static_cast<unsigned>(x), y, z);
      QUDA_UNROLL
      for (int i = 0; i < n; i++) entry[i] = value[i];
    }
    if (first) {
      QUDA_UNROLL
      for (int i = 0; i < n; i++) {
        const Digits digits = digits_of(entry[i]);
        if (!digits.special) block.atomic_max(place + i, digits.k);
      }
      block.sync();
      QUDA_UNROLL
      for (int i = 0; i < n; i++) {
        base[i] = place[i] - window_below;
        base[i] = base[i] < 0 ? 0 : base[i];
      }
      first = false;
    }
    QUDA_UNROLL
    for (int i = 0; i < n; i++) {
      const Digits digits = digits_of(entry[i]);
      const int j = digits.k - base[i];
      if (digits.special) {
        add_special(block, sums[i], entry[i]);
      } else if (j >= 0 && j + 3 <= window_limbs) {
        QUDA_UNROLL
        for (int q = 0; q < window_limbs; q++) {
          QUDA_UNROLL
          for (int p = 0; p < 3; p++)
            if (q - p >= 0 && q - p + 3 <= window_limbs && j == q - p) window[i][q] += digits.d[p];
        }
      } else {
        for (int p = 0; p < 3; p++) block.atomic_add(sums[i].limb + digits.k + p, digits.d[p]);
      }
    }
  }

  QUDA_UNROLL
  for (int i = 0; i < n; i++) {
    QUDA_UNROLL
    for (int q = 0; q < window_limbs; q++) {
      long long value = window[i][q];
      if (block.warp_total(value) && value != 0) block.atomic_add(total + i * window_limbs + q, value);
    }
  }
  block.sync();
  for (int j = thread; j < n * window_limbs; j += threads) {
    const int i = j / window_limbs, q = j % window_limbs;
    int lowest = place[i] - window_below;
    lowest = lowest < 0 ? 0 : lowest;
    if (total[j] != 0) block.atomic_add(sums[i].limb + lowest + q, total[j]);
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
