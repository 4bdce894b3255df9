#pragma once
/// Linear algebra on native fields: one loop for all formulas.
///   BlasUpdate  a formula on every complex number of up to five fields
///   BlasSum     the same, and sums over its results
/// A formula (update.h) and its sums (sum.h) are types; coefficients are run-time members, one set for each group
/// (core/stream_view.h): a right-hand side, or all of them.
/// Operands  : x, y, z, w, u, each (parity, x_cb, inner, spin, colour) complex, one shape, separate strides. Read
///             and written number by number, so the field written may be one of those read, unless it is read again
///             (in_place).
/// Sums      : the terms of one site and inner entry in the fields' precision: even and odd complex numbers, real and
///             imaginary products each in a separate chain; then one entry a site and inner entry into the exact
///             sum of its group.
/// Halo      : none. Collective: no. Flops and bytes: lib/ops/blas/blas.h.
/// Fixed point: a record of results is computed twice, for its scale and then for its integers; sums are over the
///             stored values. Formulas that move numbers move integers and scales as they are.
/// Instances : double, single, half = 3 of each formula (blas.launch.cpp).

#include "core/tune_param.h"
#include "device/array.h"
#include "device/complex.h"
#include "device/kernel_ops.h"
#include "kernels/blas/blas_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace blas
{

  /// Base of all formulas.
  struct Operands {
    static constexpr int count = 5;
    static constexpr bool moves = false; // results are operands, or zero
    static constexpr int x = 0, y = 1, z = 2, w = 3, u = 4;

    template <class... K> QUDA_DEVICE static constexpr unsigned in(K... k) { return (0u | ... | (1u << k)); }
    QUDA_DEVICE static constexpr bool has(unsigned mask, int k) { return mask >> k & 1; }
  };

  /// An update without sums.
  struct NoSums : Operands {
    static constexpr int count = 0;
    static constexpr unsigned uses = 0;
    template <class C> QUDA_DEVICE static void add(const C *, C *) {}
  };

  /// The exact sums' entries are the chains' totals.
  template <int n> struct Totals : Operands {
    static constexpr int count = n;
    static constexpr int entries = n;
    template <class R> QUDA_DEVICE static R entry(int i, const R *total) { return total[i]; }
  };

} // namespace blas

template <class S, template <class> class F, class SumsOf = blas::NoSums> struct BlasArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  using Formula = F<real>;
  using Sums = SumsOf;
  static constexpr unsigned reads = Formula::reads | (Sums::uses & ~Formula::writes);
  static constexpr unsigned writes = Formula::writes;
  static constexpr unsigned in_place = Formula::in_place & ~Sums::uses;

  unsigned threads[3];
  int active;
  Streams<S> streams;
  StreamField field[blas_operands];
  number re[blas_coefficients][blas_groups], im[blas_coefficients][blas_groups];
  int prefetch; // points ahead
  bool streaming;
  bool alike; // all fields have the same strides

  BlasArg(const BlasCall &c, const TuneParam &tp)
      : threads {c.shape.points, c.shape.rows, c.shape.groups}
      , active(c.shape.active)
      , streams(c.shape)
      , prefetch(tp.prefetch)
      , streaming(tp.streaming)
  {
    alike = true;
    const StreamField *first = nullptr;
    for (int f = 0; f < blas_operands; f++) {
      field[f] = c.field[f];
      if (!blas::Operands::has(reads | writes, f)) continue;
      if (!first) first = c.field + f;
      alike = alike && field[f].parity_stride == first->parity_stride && field[f].record_stride == first->record_stride;
    }
    for (int i = 0; i < blas_coefficients; i++)
      for (unsigned g = 0; g < c.shape.groups; g++) {
        re[i][g] = static_cast<number>(c.coefficients->re[i][g]);
        im[i][g] = static_cast<number>(c.coefficients->im[i][g]);
      }
  }
};

namespace blas
{

  /// One record of each operand.
  template <class Arg> struct Point {
    using S = typename Arg::stored;
    using real = typename Arg::real;
    using C = Complex<real>;
    using Formula = typename Arg::Formula;
    using Sums = typename Arg::Sums;
    using Scale = ScaleOf<S>;
    static constexpr int together = Streams<S>::together / 2;    // complex numbers
    static constexpr int unrolled = together > 2 ? together : 2; // complex numbers in one turn of the loop
    static constexpr int chains = Sums::count > 0 ? Sums::count : 1;
    static constexpr bool measures = is_fixed<S> && Formula::writes && !Formula::moves;
    static_assert(!Formula::moves || Sums::count == 0, "numbers are moved as they are stored, sums need what they are");

    const Arg &arg;
    unsigned point;
    S *at[Operands::count];
    Scale scale[Operands::count];    // of the operands read
    Scale to_scale[Operands::count]; // of the operands written
    Scale factor[Operands::count];   // factors to their integers
    RecordScale<S, real> of_record[Operands::count];
    Formula formula;
    C chain[2][chains];

    QUDA_DEVICE Point(const Arg &arg, unsigned point, unsigned row, unsigned group)
        : arg(arg)
        , point(point)
        , formula(arg, group)
    {
      constexpr int first = __builtin_ctz(Arg::reads | Arg::writes);
      const long long offset = arg.streams.offset(arg.field[first], point, row, group);
      QUDA_UNROLL
      for (int f = 0; f < Operands::count; f++)
        if (Operands::has(Arg::reads | Arg::writes, f)) at[f] = static_cast<S *>(arg.field[f].data) + offset;
      if (!arg.alike) {
        QUDA_UNROLL
        for (int f = 0; f < Operands::count; f++)
          if (Operands::has(Arg::reads | Arg::writes, f)) at[f] = arg.streams.at(arg.field[f], point, row, group);
      }
      QUDA_UNROLL
      for (int f = 0; f < Operands::count; f++)
        if (Operands::has(Arg::reads, f)) scale[f] = arg.streams.scale(at[f], point);
      QUDA_UNROLL
      for (int i = 0; i < Sums::count; i++) chain[0][i] = chain[1][i] = {real(0.0), real(0.0)};
    }

    /// n complex numbers from the k-th, all loaded before any is stored. measuring: only the scales of the results
    /// are computed.
    template <bool measuring, int n> QUDA_DEVICE void work(int k, int parity)
    {
      real v[Operands::count][2 * n];
      QUDA_UNROLL
      for (int f = 0; f < Operands::count; f++)
        if (Operands::has(Arg::reads, f)) arg.streams.get(at[f], 2 * k, v[f]);
      QUDA_UNROLL
      for (int j = 0; j < n; j++) {
        C s[Operands::count];
        QUDA_UNROLL
        for (int f = 0; f < Operands::count; f++)
          if (Operands::has(Arg::reads, f)) {
            s[f] = {v[f][2 * j], v[f][2 * j + 1]};
            if (!Formula::moves) s[f] = scaled(scale[f], s[f]);
          }
        formula(s);
        QUDA_UNROLL
        for (int f = 0; f < Operands::count; f++) {
          if constexpr (measuring) {
            if (Operands::has(Arg::writes, f)) of_record[f].add(s[f].re), of_record[f].add(s[f].im);
          } else if constexpr (measures) {
            if (Operands::has(Arg::writes, f)) {
              C q = scaled(factor[f], s[f]);
              if (Operands::has(Sums::uses, f)) {
                q = {rounded(q.re), rounded(q.im)};
                s[f] = scaled(to_scale[f], q);
              }
              v[f][2 * j] = q.re, v[f][2 * j + 1] = q.im;
            }
          } else {
            if (Operands::has(Arg::writes, f)) v[f][2 * j] = s[f].re, v[f][2 * j + 1] = s[f].im;
          }
        }
        if (!measuring) Sums::add(s, chain[(parity + j) % 2]);
      }
      QUDA_UNROLL
      for (int f = 0; f < Operands::count; f++)
        if (!measuring && Operands::has(Arg::writes, f)) arg.streams.put(at[f], 2 * k, v[f], arg.streaming);
    }

    template <int n> QUDA_DEVICE void prefetch(int k) const
    {
      QUDA_UNROLL
      for (int f = 0; f < Operands::count; f++)
        if (Operands::has(Arg::reads, f)) {
          arg.streams.template prefetch<2 * n>(at[f], 2 * k, arg.prefetch * arg.field[f].record_stride);
        }
    }

    template <bool measuring> QUDA_DEVICE void whole_record()
    {
      const int numbers = arg.streams.reals / 2;
      const bool prefetches = arg.prefetch && (measuring || !measures);
      int k = 0;
      for (; k + unrolled <= numbers; k += unrolled) {
        if (prefetches) prefetch<unrolled>(k);
        QUDA_UNROLL
        for (int j = 0; j < unrolled; j += together) work<measuring, together>(k + j, j);
      }
      QUDA_UNROLL
      for (int j = 0; j < unrolled - 1; j++)
        if (k + j < numbers) {
          if (prefetches) prefetch<1>(k + j);
          work<measuring, 1>(k + j, j);
        }
    }

    QUDA_DEVICE void operator()()
    {
      if constexpr (measures) {
        whole_record<true>();
        QUDA_UNROLL
        for (int f = 0; f < Operands::count; f++)
          if (Operands::has(Arg::writes, f)) factor[f] = of_record[f].factor(), to_scale[f] = of_record[f].scale();
      }
      whole_record<false>();
      if constexpr (is_fixed<S>) {
        if constexpr (Formula::moves) {
          C s[Operands::count];
          QUDA_UNROLL
          for (int f = 0; f < Operands::count; f++)
            if (Operands::has(Arg::reads, f)) s[f] = {scale[f], scale[f]};
          formula(s);
          QUDA_UNROLL
          for (int f = 0; f < Operands::count; f++)
            if (Operands::has(Arg::writes, f)) to_scale[f] = s[f].re;
        }
        QUDA_UNROLL
        for (int f = 0; f < Operands::count; f++)
          if (Operands::has(Arg::writes, f)) arg.streams.put_scale(at[f], point, to_scale[f], arg.streaming);
      }
    }

    QUDA_DEVICE real sum(int i) const { return (chain[0][i].re + chain[0][i].im) + (chain[1][i].re + chain[1][i].im); }
  };

} // namespace blas

template <class Arg> struct BlasUpdate : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned row, unsigned group) const
  {
    blas::Point<Arg>(arg, point, row, group)();
  }
};

template <class Arg> struct BlasSum : NoKernelOps {
  using Sums = typename Arg::Sums;
  static constexpr int n = Sums::entries;
  const Arg &arg;

  QUDA_DEVICE array<typename Arg::real, n> operator()(unsigned point, unsigned row, unsigned group) const
  {
    blas::Point<Arg> at(arg, point, row, group);
    at();
    typename Arg::real total[Sums::count];
    QUDA_UNROLL
    for (int i = 0; i < Sums::count; i++) total[i] = at.sum(i);
    array<typename Arg::real, n> sums;
    QUDA_UNROLL
    for (int i = 0; i < n; i++) sums[i] = Sums::entry(i, total);
    return sums;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
