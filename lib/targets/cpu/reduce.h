#pragma once
/// Exact whole-field sums on the CPU: correctly rounded results whatever the threads, tiles, order or instruction set.
///
/// A thread adds registers of doubles into a window of three bins a lane: bin k holds 1.5 2^e_k plus a multiple of
/// 2^(e_k - 52), so adding x to it is exact in the two numbers "new bin" and "rest of x" (the rest goes to the next
/// bin, 41 binary orders below). An entry whose last rest is not zero, or too large, infinite or NaN, is a misfit and
/// goes into the integer limbs (core/exact_limbs.h) lane by lane. Bins are emptied into the limbs every 1,024 entries;
/// a window that misfits often moves to the entries at hand. Nothing is rounded away anywhere, so all that windows
/// decide is speed.

#include <immintrin.h>

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Adds +-m 2^(bit + exact_lowest_exponent), m < 2^63, to the limbs.
QUDA_DEVICE void limbs_add_integer(ExactLimbs &limbs, unsigned long long m, bool negative, int bit)
{
  constexpr unsigned long long digit = 0xffffffffULL;
  const int k = bit / exact_limb_bits, shift = bit % exact_limb_bits;
  const unsigned long long low = m << shift, high = shift ? m >> (64 - shift) : 0;
  const long long d0 = static_cast<long long>(low & digit), d1 = static_cast<long long>(low >> 32),
                  d2 = static_cast<long long>(high);
  limbs.limb[k] += negative ? -d0 : d0;
  limbs.limb[k + 1] += negative ? -d1 : d1;
  limbs.limb[k + 2] += negative ? -d2 : d2;
  limbs.weight++;
}

/// limbs += x, exactly.
QUDA_DEVICE void limbs_add(ExactLimbs &limbs, double x)
{
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const bool negative = bits >> 63;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const unsigned long long fraction = bits & ((1ULL << 52) - 1);
  if (exponent == 0x7ff) {
    if (fraction)
      limbs.nan++;
    else if (negative)
      limbs.negative_infinity++;
    else
      limbs.positive_infinity++;
  } else {
    const unsigned long long m = exponent ? fraction | 1ULL << 52 : fraction;
    limbs_add_integer(limbs, m, negative, exponent ? exponent - 1 : 0);
  }
}

/// Carries, so that the limbs can take more: all but the last go to [0, 2^32).
QUDA_DEVICE void limbs_carry(ExactLimbs &limbs)
{
  for (int k = 0; k + 1 < exact_limb_count; k++) {
    const long long carry = limbs.limb[k] >> exact_limb_bits;
    limbs.limb[k] -= carry * (1LL << exact_limb_bits);
    limbs.limb[k + 1] += carry;
  }
  limbs.weight = 1;
}

struct SumWindow {
  using Lanes = Real<double>;
  static constexpr int lanes = Lanes::lanes;
  static constexpr int bins = 3;
  static constexpr int spacing = 41;      // binary orders from bin to bin
  static constexpr int entries = 1024;    // between two emptyings
  static constexpr int room = 12;         // an entry is below 2^(exponent - room), so 1,024 use half a bin's range
  static constexpr int headroom = 6;      // binary orders above the entry a window was chosen for
  static constexpr int most_misfits = 64; // lanes between two emptyings; the window then moves
  static constexpr int highest = 1022;    // of the first bin's exponent
  static constexpr int lowest = -880;     // the last bin's unit is then a normal number

  Lanes bin[bins];
  Lanes limit; // entries are below this; 0 before the window is opened
  int exponent;
  int added;
  int misfits;
  ExactLimbs limbs;

  QUDA_DEVICE void begin()
  {
    limit = Lanes(0.0);
    for (int k = 0; k < bins; k++) bin[k] = Lanes(0.0);
    exponent = added = misfits = 0;
    limbs = ExactLimbs {};
  }

  QUDA_DEVICE static double power(int e)
  {
    const unsigned long long bits = static_cast<unsigned long long>(e + 1023) << 52;
    double x;
    __builtin_memcpy(&x, &bits, 8);
    return x;
  }

  QUDA_DEVICE static Lanes magnitude(Lanes x)
  {
    using Bits = typename Lanes::Mask::V;
    const Bits sign = Bits {} + (~0ULL >> 1);
    return Lanes((typename Lanes::V)((Bits)x.v & sign));
  }

  /// Bins -> limbs. A bin stays within the binade of its anchor, where equal steps of the number are equal steps of
  /// its bits. Too rare to be compiled into every kernel's loop.
  __attribute__((noinline)) void empty()
  {
    added = misfits = 0;
    if (!open()) return;
    for (int k = 0; k < bins; k++) {
      const int e = exponent - k * spacing;
      const double anchor = 1.5 * power(e);
      long long anchor_bits, total = 0;
      __builtin_memcpy(&anchor_bits, &anchor, 8);
      for (int l = 0; l < lanes; l++) {
        const double b = bin[k].v[l];
        long long bits;
        __builtin_memcpy(&bits, &b, 8);
        total += bits - anchor_bits;
      }
      if (total != 0)
        limbs_add_integer(limbs, total < 0 ? 0ULL - static_cast<unsigned long long>(total) : total, total < 0,
                          e - 52 - exact_lowest_exponent);
      bin[k] = Lanes(anchor);
    }
    if (limbs.weight > exact_weight_limit / 2) limbs_carry(limbs);
  }

  QUDA_DEVICE bool open() const { return limit.v[0] > 0; }

  /// Places the window for entries like these.
  QUDA_DEVICE void move_to(Lanes x)
  {
    empty();
    int largest = -2000;
    for (int l = 0; l < lanes; l++) {
      const double b = x.v[l];
      unsigned long long bits;
      __builtin_memcpy(&bits, &b, 8);
      const int e = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
      if (e < 1024 && e > -1023 && e > largest) largest = e;
    }
    if (largest < -1023) largest = 0; // nothing but zeros and the like: the unit's neighbourhood
    exponent = largest + 1 + room + headroom;
    exponent = exponent > highest ? highest : exponent < lowest ? lowest : exponent;
    for (int k = 0; k < bins; k++) bin[k] = Lanes(1.5 * power(exponent - k * spacing));
    limit = Lanes(power(exponent - room));
  }

  /// Entries that need the third bin or do not fit.
  __attribute__((noinline)) void add_carefully(Lanes x)
  {
    if (!open() || misfits > most_misfits) move_to(x);
    Lanes next[bins], rest = x;
    for (int k = 0; k < bins; k++) {
      next[k] = bin[k] + rest;
      rest -= next[k] - bin[k];
    }
    const auto fits = (magnitude(x) < limit) & (rest == Lanes(0.0));
    for (int k = 0; k < bins; k++) bin[k] = select(fits, next[k], bin[k]);
    for (int l = 0; l < lanes; l++)
      if (!fits.v[l]) {
        limbs_add(limbs, x.v[l]);
        misfits++;
      }
    if (limbs.weight > exact_weight_limit / 2) limbs_carry(limbs);
    if (++added == entries) empty();
  }

  QUDA_DEVICE void add(Lanes x)
  {
    const Lanes next0 = bin[0] + x, rest0 = x - (next0 - bin[0]);
    const Lanes next1 = bin[1] + rest0, rest1 = rest0 - (next1 - bin[1]);
    if (__builtin_expect(any(!((magnitude(x) < limit) & (rest1 == Lanes(0.0)))), 0)) {
      add_carefully(x);
    } else {
      bin[0] = next0;
      bin[1] = next1;
      if (__builtin_expect(++added == entries, 0)) empty();
    }
  }

  /// Adds what was collected to `sum`, which other threads add to as well.
  QUDA_DEVICE void finish(ExactLimbs &sum)
  {
    empty();
    limbs_carry(limbs);
    static_assert(sizeof(ExactLimbs) == exact_words * sizeof(long long), "limbs merge word by word");
    const long long *from = limbs.limb;
    long long *to = sum.limb;
    for (int k = 0; k < exact_limb_count; k++)
      if (from[k]) __atomic_fetch_add(to + k, from[k], __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum.weight, limbs.weight, __ATOMIC_RELAXED);
    if (limbs.positive_infinity) __atomic_fetch_add(&sum.positive_infinity, limbs.positive_infinity, __ATOMIC_RELAXED);
    if (limbs.negative_infinity) __atomic_fetch_add(&sum.negative_infinity, limbs.negative_infinity, __ATOMIC_RELAXED);
    if (limbs.nan) __atomic_fetch_add(&sum.nan, limbs.nan, __ATOMIC_RELAXED);
  }
};

/// Lanes of a register that hold sites: those before `active`; the others become zero.
struct ActiveLanes {
  LaneMask<double, width<double>> mask[2]; // low and high half of a register of floats

  QUDA_DEVICE explicit ActiveLanes(int active)
  {
    for (int h = 0; h < 2; h++)
      for (int l = 0; l < width<double>; l++) mask[h].v[l] = h * width<double> + l < active ? -1 : 0;
  }

  QUDA_DEVICE Real<double> keep(Real<double> x, int h) const
  {
    using Bits = typename LaneMask<double, width<double>>::V;
    return Real<double>((typename Real<double>::V)((Bits)x.v & mask[h].v));
  }
};

QUDA_DEVICE void sum_add(SumWindow &sum, Real<double> x, const ActiveLanes &active) { sum.add(active.keep(x, 0)); }
QUDA_DEVICE void sum_add(SumWindow &sum, Real<float> x, const ActiveLanes &active)
{
  sum.add(active.keep(widen(x, 0), 0));
  sum.add(active.keep(widen(x, 1), 1));
}

template <class Arg> struct CpuSum {
  const Arg *arg;
  ExactLimbs *sums;
  long long tile;
  int schedule;
};

template <class Kernel, class Arg> void cpu_sum_sweep(void *context, int thread, int threads)
{
  const auto &launch = *static_cast<const CpuSum<Arg> *>(context);
  const Arg arg = *launch.arg;
  const Block block = {nullptr, {1, 1, 1}, {0, 0, 0}};
  const Kernel kernel {{block}, arg};
  constexpr int n = decltype(kernel(0u, 0u))::size;
  const ActiveLanes active(arg.active);
  SumWindow window[n];
  for (int i = 0; i < n; i++) window[i].begin();

  for_tiles(arg.threads[0], launch.tile, launch.schedule, thread, threads, 1,
            [&](unsigned x0, unsigned x1) QUDA_LAMBDA {
              for (unsigned y = 0; y < arg.threads[1]; y++)
                for (unsigned x = x0; x < x1; x++) {
                  const auto value = kernel(x, y);
                  QUDA_UNROLL
                  for (int i = 0; i < n; i++) sum_add(window[i], value[i], active);
                }
            });
  for (int i = 0; i < n; i++) window[i].finish(launch.sums[i]);
}

/// sums[i] += sum over all points and active lanes of f(x, y)[i], exactly. f returns array<Real<double>, n> or
/// array<Real<float>, n>, one entry a site; the first arg.active lanes of a register hold sites. `sums` is host
/// memory, zeroed by the caller. Complete on return.
template <template <class> class Functor, class Arg>
void launch_sum_2d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  const unsigned nx = arg.threads[0];
  CpuSum<Arg> launch = {&arg, sums, tp.block[0] > 0 ? tp.block[0] : nx > 0 ? nx : 1, tp.schedule};
  if (nx > 0) cpu::run_team(team_size(tp, nx), cpu_sum_sweep<Kernel, Arg>, &launch);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
