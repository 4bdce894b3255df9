#pragma once
/// Exact whole-field sums on the CPU: correctly rounded results whatever the threads, tiles, order or instruction set.
///
/// A thread adds registers of doubles into a window of three bins a lane: bin k holds 1.5 2^e_k plus a multiple of
/// 2^(e_k - 52), so adding x to it is exact in the two numbers "new bin" and "rest of x" (the rest goes to the next
/// bin, 41 binary orders below). An entry whose last rest is not zero, or too large, infinite or NaN, is a misfit and
/// goes into the integer limbs (core/exact_limbs.h) lane by lane. Bins are emptied into the limbs every 1,024 entries;
/// a window that misfits often moves to the current entries. Nothing is rounded away anywhere, so windows decide only
/// about speed. The limbs belong to all threads, which add to them by atomic additions of integers.

#include <immintrin.h>

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Adds +-m 2^(bit + exact_lowest_exponent), m < 2^63, to limbs that other threads add to at the same time.
QUDA_DEVICE void limbs_add_integer(ExactLimbs &limbs, unsigned long long m, bool negative, int bit)
{
  constexpr unsigned long long digit = 0xffffffffULL;
  const int k = bit / exact_limb_bits, shift = bit % exact_limb_bits;
  const unsigned long long low = m << shift, high = shift ? m >> (64 - shift) : 0;
  const long long d[3] = {static_cast<long long>(low & digit), static_cast<long long>(low >> 32),
                          static_cast<long long>(high)};
  for (int q = 0; q < 3; q++)
    if (d[q] != 0) __atomic_fetch_add(limbs.limb + k + q, negative ? -d[q] : d[q], __ATOMIC_RELAXED);
  __atomic_fetch_add(&limbs.weight, 1, __ATOMIC_RELAXED);
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
    long long *const count = fraction ? &limbs.nan : negative ? &limbs.negative_infinity : &limbs.positive_infinity;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    const unsigned long long m = exponent ? fraction | 1ULL << 52 : fraction;
    limbs_add_integer(limbs, m, negative, exponent ? exponent - 1 : 0);
  }
}

struct SumWindow {
  using Lanes = Real<double>;
  static constexpr int lanes = Lanes::lanes;
  static constexpr int bins = 3;
  static constexpr int spacing = 41;      // binary orders from bin to bin
  static constexpr int entries = 1024;    // between two emptyings
  static constexpr int room = 12;         // an entry is below 2^(exponent - room), so 1,024 use half a bin's range
  static constexpr int headroom = 6;      // binary orders above the entry that chose the window
  static constexpr int most_misfits = 64; // lanes between two emptyings; the window then moves
  static constexpr int highest = 1022;    // exponent of the first bin
  static constexpr int lowest = -880;     // the last bin's unit is then a normal number

  Lanes bin[bins];
  Lanes limit; // entries are below this; 0 before the window is opened
  int exponent;
  int added;
  int misfits;
  ExactLimbs *limbs; // shared by all threads

  QUDA_DEVICE void begin(ExactLimbs *sum)
  {
    limit = Lanes(0.0);
    for (int k = 0; k < bins; k++) bin[k] = Lanes(0.0);
    exponent = added = misfits = 0;
    limbs = sum;
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
        limbs_add_integer(*limbs, total < 0 ? 0ULL - static_cast<unsigned long long>(total) : total, total < 0,
                          e - 52 - exact_lowest_exponent);
      bin[k] = Lanes(anchor);
    }
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
    if (largest < -1023) largest = 0; // only zeros and the like: the neighbourhood of 1
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
        limbs_add(*limbs, x.v[l]);
        misfits++;
      }
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

constexpr int most_sums = 4096; // of one launch: a thread keeps a window for each on its stack
constexpr int few_sums = 32;    // so few that their windows cost nothing beside a share

template <class Arg> struct CpuSum {
  const Arg *arg;
  ExactLimbs *sums;
  unsigned groups;
  long long tile;
  int schedule;
  int fence;
};

QUDA_DEVICE void check_weights(const char *launcher, const ExactLimbs *sums, long long n)
{
  for (long long i = 0; i < n; i++)
    if (sums[i].weight > exact_weight_limit)
      launch_error(launcher, "numbers of a sum", sums[i].weight, 0, exact_weight_limit);
}

template <int dims, class Kernel> QUDA_DEVICE auto sum_entry(const Kernel &kernel, unsigned x, unsigned y, unsigned z)
{
  if constexpr (dims == 2)
    return kernel(x, y);
  else
    return kernel(x, y, z);
}

/// The kernel's result, for decltype only.
template <int dims, class Kernel> auto sum_value() -> decltype(sum_entry<dims>(*(const Kernel *)nullptr, 0u, 0u, 0u));

template <int dims, class Kernel, class Arg> void cpu_sum_sweep(void *context, int thread, int threads)
{
  const auto &launch = *static_cast<const CpuSum<Arg> *>(context);
  const Arg arg = *launch.arg;
  const Block block = {nullptr, {1, 1, 1}, {0, 0, 0}};
  const Kernel kernel {{block}, arg};
  constexpr int n = decltype(sum_value<dims, Kernel>())::size;
  const ActiveLanes active(arg.active);
  const unsigned groups = dims == 2 ? 1 : launch.groups;
  auto *const window =
      static_cast<SumWindow *>(__builtin_alloca_with_align(groups * n * sizeof(SumWindow), 8 * alignof(SumWindow)));
  for (unsigned i = 0; i < groups * n; i++) window[i].begin(launch.sums + i);

  for_tiles(arg.threads[0], launch.tile, launch.schedule, thread, threads, 1,
            [&](unsigned x0, unsigned x1) QUDA_LAMBDA {
              for (unsigned z = 0; z < groups; z++) {
                SumWindow here[n]; // a variable of fixed size may stay in registers
                QUDA_UNROLL
                for (int i = 0; i < n; i++) here[i] = window[z * n + i];
                for (unsigned y = 0; y < arg.threads[1]; y++)
                  for (unsigned x = x0; x < x1; x++) {
                    const auto value = sum_entry<dims>(kernel, x, y, z);
                    QUDA_UNROLL
                    for (int i = 0; i < n; i++) sum_add(here[i], value[i], active);
                  }
                QUDA_UNROLL
                for (int i = 0; i < n; i++) window[z * n + i] = here[i];
              }
            });
  for (unsigned i = 0; i < groups * n; i++) window[i].empty();
}

template <int dims, template <class> class Functor, class Arg>
void cpu_launch_sum(const TuneParam &tp, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  const unsigned nx = arg.threads[0];
  CpuSum<Arg> launch = {&arg, sums, 1, tp.block[0] > 0 ? tp.block[0] : nx > 0 ? nx : 1, tp.schedule, 0};
  if constexpr (dims == 3) launch.groups = arg.threads[2];
  constexpr int n = decltype(sum_value<dims, Kernel>())::size;
  const long long windows = static_cast<long long>(launch.groups) * n;
  if (windows > most_sums) launch_error(__PRETTY_FUNCTION__, "sums", windows, 0, most_sums);
  if (nx > 0 && launch.groups > 0)
    cpu::run_team(team_size(tp, nx), cpu_sum_sweep<dims, Kernel, Arg>, &launch,
                  windows > few_sums ? 1 : shares(tp, nx));
  check_weights(__PRETTY_FUNCTION__, sums, windows);
}

/// sums[i] += sum over all points and active lanes of f(x, y)[i], exactly. f returns array<Real<double>, n> or
/// array<Real<float>, n>, one entry a site; the first arg.active lanes of a register hold sites. `sums` is host
/// memory, zeroed by the caller. At most exact_weight_limit numbers a sum. Complete on return.
template <template <class> class Functor, class Arg>
void launch_sum_2d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  cpu_launch_sum<2, Functor>(tp, arg, sums);
}

/// sums[z * n + i] += sum over x and y of f(x, y, z)[i]: a group of sums for each z. Within a tile of x all of it is
/// done for one z before the next. At most most_sums of them.
template <template <class> class Functor, class Arg>
void launch_sum_3d(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  cpu_launch_sum<3, Functor>(tp, arg, sums);
}

#define QUDA_SITE_SUMS 1 // this target has launch_site_sums()

/// Exact sums of a kernel that works site by site: entries are added one by one, each to the sum of its number.
class SiteSums
{
public:
  static constexpr bool adds_up = true;
  QUDA_DEVICE SiteSums(SumWindow *windows, const ActiveLanes &active)
      : windows_(windows)
      , active_(&active)
  {
  }
  template <class R> QUDA_DEVICE void add(int i, R x) const { sum_add(windows_[i], x, *active_); }

private:
  SumWindow *windows_;
  const ActiveLanes *active_;
};

template <class Kernel, class Arg> void cpu_site_sums_sweep(void *context, int thread, int threads)
{
  const auto &launch = *static_cast<const CpuSum<Arg> *>(context);
  const Arg arg = *launch.arg;
  const Block block = {nullptr, {1, 1, 1}, {0, 0, 0}};
  const ActiveLanes active(arg.active);
  auto *const window =
      static_cast<SumWindow *>(__builtin_alloca_with_align(launch.groups * sizeof(SumWindow), 8 * alignof(SumWindow)));
  for (unsigned i = 0; i < launch.groups; i++) window[i].begin(launch.sums + i);
  const Kernel kernel {{block}, arg, SiteSums(window, active)};
  for_tiles(arg.threads[0], launch.tile, launch.schedule, thread, threads, 1,
            [&](unsigned x0, unsigned x1) QUDA_LAMBDA {
              for (unsigned z = 0; z < arg.threads[2]; z++)
                for (unsigned y = 0; y < arg.threads[1]; y++) for_points(kernel, x0, x1, y, z);
            });
  if (launch.fence) stream_fence();
  for (unsigned i = 0; i < launch.groups; i++) window[i].empty();
}

/// Calls f(x, y, z) for every point, which adds to arg.sums exact sums through its SiteSums: the kernel is made of
/// {block}, arg and these. `sums` as above.
template <template <class> class Functor, class Arg>
void launch_site_sums(const TuneParam &tp, void *, const Arg &arg, ExactLimbs *sums)
{
  using Kernel = Functor<Arg>;
  static_assert(!Kernel::synchronises, "kernels of whole-field sums do not share work within a block");
  const unsigned nx = arg.threads[0];
  const CpuSum<Arg> launch = {
      &arg, sums, static_cast<unsigned>(arg.sums), tp.block[0] > 0 ? tp.block[0] : nx, tp.schedule, tp.streaming};
  if (arg.sums > most_sums) launch_error(__PRETTY_FUNCTION__, "sums", arg.sums, 0, most_sums);
  if (nx > 0)
    cpu::run_team(team_size(tp, nx), cpu_site_sums_sweep<Kernel, Arg>, const_cast<CpuSum<Arg> *>(&launch),
                  arg.sums > few_sums ? 1 : shares(tp, nx));
  check_weights(__PRETTY_FUNCTION__, sums, arg.sums);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
