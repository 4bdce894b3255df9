#pragma once
/// Exact whole-field sums on scalar targets: the work of one block. Nothing is rounded away, so neither grid nor
/// order of atomic additions changes a bit.
///
/// Each thread adds its entries to bins in registers (SumBins), whose place the block chooses from its first entries.
/// Entries outside go to the integer accumulator (core/exact_limbs.h) at once. At the end the block's bins are added up
/// as integers, and a few atomic additions carry them over.
/// If a kernel states that its groups read the same (`static constexpr bool groups_share = true`), warps of a block
/// work on different z of the same x, as many as it has: common operands then come from the nearest cache.

#include "core/exact_limbs.h"
#include <grid.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

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

/// An entry that fits no bin.
QUDA_DEVICE void add_outside(const Block &block, ExactLimbs &sum, double x)
{
  const Digits digits = digits_of(x);
  if (digits.special) return add_special(block, sum, x);
  for (int p = 0; p < 3; p++)
    if (digits.d[p] != 0) block.atomic_add(sum.limb + digits.k + p, digits.d[p]);
}

/// sum += value 2^(bit + exact_lowest_exponent)
QUDA_DEVICE void add_integer(const Block &block, ExactLimbs &sum, long long value, int bit)
{
  constexpr unsigned long long digit = 0xffffffffULL;
  const unsigned long long m = value < 0 ? 0ULL - static_cast<unsigned long long>(value) : value;
  const int k = bit / exact_limb_bits, shift = bit % exact_limb_bits;
  const unsigned long long low = m << shift, high = shift ? m >> (64 - shift) : 0;
  const long long d[3] = {static_cast<long long>(low & digit), static_cast<long long>(low >> 32),
                          static_cast<long long>(high)};
  QUDA_UNROLL
  for (int q = 0; q < 3; q++)
    if (d[q] != 0) block.atomic_add(sum.limb + k + q, value < 0 ? -d[q] : d[q]);
}

/// Bins of a thread and sum: bin k holds 1.5 2^e_k plus a multiple of 2^(e_k - 52), so adding x to it is exact in the
/// two numbers "new bin" and "rest of x", which goes to the next bin. Nearly all entries need only bins 1 and 2; bin 0
/// is for larger ones, bin 3 for the lowest digits of small ones.
struct SumBins {
  static constexpr int bins = 4;
  static constexpr int first = 1;    // first bin that all entries need
  static constexpr int room = 8;     // an entry is below 2^(e - room)
  static constexpr int entries = 64; // between two emptyings: they use half a bin's range
  static constexpr int spacing = 53 - room;
  static constexpr int headroom = 14; // binary orders above the block's first entries
  static constexpr int bias = 1023;
  static constexpr int highest = 1022 - spacing, lowest = -880; // for bin 1: bin 0 is finite, the unit of bin 3 normal

  double often[2];
  volatile double seldom[2]; // bins 0 and 3: not worth registers

  QUDA_DEVICE double bin(int k) const { return k == 0 ? seldom[0] : k == 3 ? seldom[1] : often[k - first]; }
  QUDA_DEVICE void set(int k, double x)
  {
    if (k == 0)
      seldom[0] = x;
    else if (k == 3)
      seldom[1] = x;
    else
      often[k - first] = x;
  }

  /// The exponent of a bin whose window is chosen for entries with this exponent field; 0: zeros only.
  QUDA_DEVICE static int exponent(int field, int k)
  {
    int e = (field > 0 ? field - bias : 0) + 1 + room + headroom;
    e = e > highest ? highest : e < lowest ? lowest : e;
    return e + (first - k) * spacing;
  }
  /// Place of a bin's unit in the accumulator.
  QUDA_DEVICE static int unit_bit(int field, int k) { return exponent(field, k) - 52 - exact_lowest_exponent; }

  QUDA_DEVICE static long long anchor_bits(int field, int k)
  {
    return static_cast<long long>(exponent(field, k) + bias) << 52 | 1LL << 51;
  }

  QUDA_DEVICE void open(int field)
  {
    QUDA_UNROLL
    for (int k = 0; k < bins; k++) {
      const long long bits = anchor_bits(field, k);
      double anchor;
      __builtin_memcpy(&anchor, &bits, 8);
      set(k, anchor);
    }
  }

  /// The sum in a bin, in its units: the bin stays within the binade of its anchor, where equal steps of the
  /// number are equal steps of its bits.
  QUDA_DEVICE long long units(int field, int k) const
  {
    return static_cast<long long>(bits_of(bin(k))) - anchor_bits(field, k);
  }

  /// |x| < 2^(e_k - room); false for NaN.
  QUDA_DEVICE static bool below(double x, int limit) { return static_cast<int>(bits_of(x) >> 32 & 0x7fffffff) < limit; }
  QUDA_DEVICE static int limit(int field, int k) { return (exponent(field, k) - room + bias) << 20; }

  /// Bins from...to take x; false, with no effect, if a rest would remain.
  template <int from, int to> QUDA_DEVICE bool cascade(double x)
  {
    double next[bins], rest = x;
    QUDA_UNROLL
    for (int k = from; k <= to; k++) {
      const double before = bin(k);
      next[k] = before + rest;
      rest -= next[k] - before;
    }
    if (rest != 0) return false;
    QUDA_UNROLL
    for (int k = from; k <= to; k++) set(k, next[k]);
    return true;
  }

  /// limit: of bin 1. False: x is outside.
  QUDA_DEVICE bool add(double x, int limit)
  {
    if (below(x, limit) && cascade<1, 2>(x)) return true;
    return below(x, limit + (spacing << 20)) && cascade<0, 3>(x);
  }
};

/// Shared memory for n sums: totals of bins, places.
QUDA_DEVICE constexpr int sum_shared_bytes(int n)
{
  return n * (SumBins::bins * static_cast<int>(sizeof(long long)) + static_cast<int>(sizeof(long long)));
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

template <class Kernel>
concept SharesGroups = Kernel::groups_share;

/// Partition of a sum's points among its blocks, a row of them: if groups share operands, the groups of one stretch of
/// x are neighbours, else the stretches of one z.
struct SumBlocks {
  int scratch;      // first byte of the sum's own part of shared memory
  unsigned depth;   // z of a block
  unsigned layers;  // blocks along z
  unsigned stretch; // x of a block
  unsigned each;    // blocks along x, of each y and z
};

struct SumGeometry {
  unsigned block[3];
  unsigned grid[3];
  int shared_bytes;
  SumBlocks blocks;
  long long weight; // of each sum (core/exact_limbs.h)
  int sums;
};

template <int dims, template <class> class Functor, class Arg>
SumGeometry sum_geometry(const TuneParam &tp, const Arg &arg, int most = most_block_threads)
{
  constexpr int n = sums_of<dims, Functor<Arg>>;
  unsigned threads = tp.block[0] > 0 ? tp.block[0] : default_block;
  threads = (threads + warp_threads - 1) / warp_threads * warp_threads;
  if (threads > most_block_threads)
    launch_error(__PRETTY_FUNCTION__, "threads of a block", threads, 1, most_block_threads);
  threads = allowed_threads(__PRETTY_FUNCTION__, threads, 1, most, warp_threads);
  SumGeometry g = {};
  SumBlocks &b = g.blocks;
  const unsigned nz = dims == 3 ? arg.threads[2] : 1;
  const auto layers_of = [&](unsigned depth) { return (nz + depth - 1) / depth; };
  b.depth = 1; // few warps are left over
  if constexpr (SharesGroups<Functor<Arg>>)
    while (threads / warp_threads % (2 * b.depth) == 0 && 8 * layers_of(2 * b.depth) * 2 * b.depth <= 9 * nz)
      b.depth *= 2;
  b.layers = layers_of(b.depth);
  b.stretch = threads / b.depth;
  const unsigned covering = (arg.threads[0] + b.stretch - 1) / b.stretch;
  const unsigned wished = tp.grid[0] > 0 ? tp.grid[0] : most_sum_blocks;
  b.each = covering < wished ? covering : wished;
  g.block[0] = threads;
  g.block[1] = g.block[2] = 1;
  g.grid[0] = b.each * b.layers;
  g.grid[1] = arg.threads[1];
  g.grid[2] = 1;
  g.sums = n * static_cast<int>(nz);
  const int own = Functor<Arg>::shared_bytes(threads, 1, 1);
  b.scratch = (own + shared_alignment - 1) / shared_alignment * shared_alignment;
  g.shared_bytes = b.scratch + sum_shared_bytes(n * static_cast<int>(b.depth));
  if (g.shared_bytes < tp.shared_bytes) g.shared_bytes = tp.shared_bytes;
  const long long entries = static_cast<long long>(arg.threads[0]) * arg.threads[1];
  if (g.shared_bytes > most_shared_bytes())
    launch_error(__PRETTY_FUNCTION__, "bytes of shared memory", g.shared_bytes, 0, most_shared_bytes());
  if (entries > exact_weight_limit)
    launch_error(__PRETTY_FUNCTION__, "entries of a sum", entries, 0, exact_weight_limit);
  if (entries > 0) { // at most a digit an entry, and one a bin and emptying
    const long long turns = (arg.threads[0] - 1) / (1LL * b.each * b.stretch) / SumBins::entries + 1;
    g.weight = entries + turns * SumBins::bins * b.each * g.grid[1];
  }
  return g;
}

/// The block's part of sums[z * n + i] += f(x, y, z)[i]: one y, some z and every `each`-th stretch of x. All threads of
/// the block call; blocks are one row of whole warps. sum_shared_bytes are available behind b.scratch.
template <int dims, class Kernel, class Arg>
QUDA_DEVICE void sum_block(const Block &block, const Arg &arg, const SumBlocks &b, ExactLimbs *sums)
{
  const Kernel kernel {{block}, arg};
  constexpr int n = sums_of<dims, Kernel>;
  constexpr bool shares = SharesGroups<Kernel>;
  const int thread = block.thread(), threads = block.extent(0), warp = thread / warp_threads;
  const unsigned number = block.start(0) / threads, y = block.start(1);
  const unsigned depth = shares ? b.depth : 1; // uniform over the threads wherever possible
  const unsigned part = shares ? number / b.layers : number % b.each;
  const unsigned first_z = shares ? number % b.layers * depth : number / b.each;
  const int places = n * static_cast<int>(depth);
  auto *const total = reinterpret_cast<long long *>(block.shared() + b.scratch);
  int *const place = reinterpret_cast<int *>(total + places * SumBins::bins);
  const int slice = shares ? warp % static_cast<int>(depth) : 0, mine = slice * n; // of the block's z, of its sums
  const unsigned z = first_z + slice;
  const unsigned along = shares ? warp / depth * warp_threads + thread % warp_threads : thread;
  const bool there = !shares || z < arg.threads[dims - 1];
  sums += first_z * n;

  const unsigned begin = part * b.stretch, step = b.each * b.stretch;
  unsigned turns = (arg.threads[0] - begin - 1) / step + 1, x = begin + along; // the same number for all threads
  while (turns > 0) {
    for (int i = thread; i < places * SumBins::bins; i += threads) total[i] = 0;
    for (int i = thread; i < places; i += threads) place[i] = 0;
    block.sync();
    SumBins window[n];
    int limit[n] = {};
    bool first = true;
    for (int left = SumBins::entries; left > 0 && turns > 0; left--, turns--, x += step) {
      double entry[n];
      QUDA_UNROLL
      for (int i = 0; i < n; i++) entry[i] = 0.0;
      if (x < arg.threads[0] && there) {
        const auto value = sum_entry<dims>(kernel, x, y, z);
        QUDA_UNROLL
        for (int i = 0; i < n; i++) entry[i] = value[i];
      }
      if (first) {
        QUDA_UNROLL
        for (int i = 0; i < n; i++) {
          int field = static_cast<int>(bits_of(entry[i]) >> 52 & 0x7ff);
          field = field == 0x7ff ? 0 : field;
          if (block.warp_max(field)) block.atomic_max(place + mine + i, field);
        }
        block.sync();
        QUDA_UNROLL
        for (int i = 0; i < n; i++) {
          window[i].open(place[mine + i]);
          limit[i] = SumBins::limit(place[mine + i], SumBins::first);
        }
        first = false;
      }
      QUDA_UNROLL
      for (int i = 0; i < n; i++)
        if (!window[i].add(entry[i], limit[i])) add_outside(block, sums[mine + i], entry[i]);
    }

    QUDA_UNROLL
    for (int i = 0; i < n; i++) {
      QUDA_UNROLL
      for (int k = 0; k < SumBins::bins; k++) {
        long long value = window[i].units(place[mine + i], k);
        const bool used = (k == SumBins::first || k == SumBins::first + 1) || block.warp_any(value != 0);
        if (used && block.warp_total(value) && value != 0)
          block.atomic_add(total + (mine + i) * SumBins::bins + k, value);
      }
    }
    block.sync();
    for (int j = thread; j < places * SumBins::bins; j += threads)
      if (total[j] != 0)
        add_integer(block, sums[j / SumBins::bins], total[j],
                    SumBins::unit_bit(place[j / SumBins::bins], j % SumBins::bins));
    if (turns > 0) block.sync(); // before they are cleared
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
