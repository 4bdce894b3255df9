#pragma once
/// The finish of a hop's kernel: processing of its sum. Called once for a site and inner entry with the sum in
/// registers. Dependence on run-time numbers is a branch here; a finish that needs more registers or fields (clover
/// terms) is a separate one. Sums over the result are fused into a kernel of their own, whose
/// Sums are the launch's (SiteSums); entries are those of the linear algebra (kernels/blas/sum.h) to the bit.

#include "core/tune_param.h"
#include "kernels/dirac/link_product.h"
#include "kernels/dirac/stencil_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// No sums.
struct NoSiteSums {
  static constexpr bool adds_up = false;
};

/// Sums over a record v: |v|^2, Re <v, v - before>, <w, v>. Even and odd complex numbers, real and imaginary
/// products each have a chain.
template <class S, int reals, class Sums> struct FinishSums {
  using real = Real<S>;
  Storage<S, reals> w;
  bool norm, change, dot;

  FinishSums(const AddToCall &c)
      : w(c.sums.dot ? c.sums.w.field : c.out.field)
      , norm(c.sums.norm)
      , change(c.sums.change)
      , dot(c.sums.dot)
  {
  }
  QUDA_DEVICE bool any() const { return norm || change || dot; }

  /// The sum over k of first(k) second(k), or, if crossed, with the other part of first's number: Im <first, second>.
  template <bool crossed, class First, class Second>
  QUDA_DEVICE static real total(const First &first, const Second &second)
  {
    real re[2] = {real(number_of<S>(0)), real(number_of<S>(0))}, im[2] = {re[0], re[0]};
    QUDA_UNROLL
    for (int k = 0; k < reals / 2; k++) {
      if constexpr (crossed) {
        re[k % 2] = fma(first(2 * k), second(2 * k + 1), re[k % 2]);
        im[k % 2] = fnma(first(2 * k + 1), second(2 * k), im[k % 2]);
      } else {
        re[k % 2] = fma(first(2 * k), second(2 * k), re[k % 2]);
        im[k % 2] = fma(first(2 * k + 1), second(2 * k + 1), im[k % 2]);
      }
    }
    return (re[0] + im[0]) + (re[1] + im[1]);
  }

  QUDA_DEVICE void add(const real (&v)[reals], const real (&before)[reals], const Place &here, int i, int rhs,
                       const Sums &into) const
  {
    const int at = FinishSumsCall::each * rhs;
    const auto itself = [&](int k) QUDA_LAMBDA { return v[k]; };
    if (norm) into.add(at, total<false>(itself, itself));
    if (change) {
      const auto moved_by = [&](int k) QUDA_LAMBDA { return v[k] - before[k]; };
      into.add(at + 1, total<false>(itself, moved_by));
    }
    if (dot) {
      const auto q = w.read(here, i);
      const auto other = [&](int k) QUDA_LAMBDA { return q[k]; };
      into.add(at + 2, total<false>(other, itself));
      into.add(at + 3, total<true>(other, itself));
    }
  }
};
template <class S, int reals> struct FinishSums<S, reals, NoSiteSums> {
  FinishSums(const AddToCall &) {}
};

/// The twisted-mass term of an entry, one + i a gamma5 tau3 + b tau1: gamma5 = diag(1, 1, -1, -1), flavours innermost.
template <class S> struct FinishTwist {
  using real = Real<S>;
  bool of_sum, of_x, doublet, mixes;
  number_of<S> one, a, b;

  FinishTwist(const FinishTwistCall &c, int flavours)
      : of_sum(c.which == FinishTwistCall::of_sum)
      , of_x(c.which == FinishTwistCall::of_x)
      , doublet(flavours == 2)
      , mixes(doublet && c.b != 0)
      , one(static_cast<number_of<S>>(c.one))
      , a(static_cast<number_of<S>>(c.a))
      , b(static_cast<number_of<S>>(c.b))
  {
  }

  /// a tau3 of inner entry i.
  QUDA_DEVICE real a_of(int i) const { return doublet && i % 2 ? -a : a; }
  /// v + i a gamma5 z, numbers k.
  QUDA_DEVICE static Complex<real> add(const Complex<real> &v, real a, const Complex<real> &z, int k)
  {
    return k < 6 ? Complex<real> {fnma(a, z.im, v.re), fma(a, z.re, v.im)}
                 : Complex<real> {fma(a, z.im, v.re), fnma(a, z.re, v.im)};
  }
};

/// out = a x + b sum + c y; terms without a field are left out. a, b and c for each right-hand side, and for
/// spinors a twist of x or of the sum. The sum comes in units of link_unit<S>.
template <class S, int reals, class Sums = NoSiteSums> struct AddTo {
  using number = number_of<S>;
  using real = Real<S>;
  using Into = Sums;
  static constexpr bool adds_up = Sums::adds_up;
  Storage<S, reals> out, x, y;
  bool add_x, add_y;
  bool streaming; // stores past the cache
  bool together;  // one a, b and c for all
  number a[most_coefficients], b[most_coefficients], c[most_coefficients];
  FinishTwist<S> twist;
  FinishSums<S, reals, Sums> sums;

  template <class Call> AddTo(const Call &c, const TuneParam &tp)
      : AddTo(c.finish, tp)
  {
  }
  AddTo(const AddToCall &call, const TuneParam &tp)
      : out(call.out.field)
      , x(call.x.field.data ? call.x.field : call.out.field)
      , y(call.y.field.data ? call.y.field : call.out.field)
      , add_x(call.x.field.data != nullptr)
      , add_y(call.y.field.data != nullptr)
      , streaming(tp.streaming)
      , together(call.coefficients == 1)
      , twist(call.twist, call.out.field.flavours)
      , sums(call)
  {
    for (int n = 0; n < call.coefficients; n++) {
      a[n] = static_cast<number>(call.a[n]);
      b[n] = static_cast<number>(call.b[n] * link_unit<S>);
      c[n] = static_cast<number>(call.c[n]);
    }
  }

  /// Prefetches the entry's operands, and its result unless it is stored past the cache.
  QUDA_DEVICE void prefetch(const Place &here, int i) const
  {
    if (add_x || twist.of_x) x.prefetch(here, i, 0);
    if (add_y && y.data != x.data) y.prefetch(here, i, 0);
    if constexpr (adds_up) {
      if (sums.dot && !(add_y && sums.w.data == y.data)) sums.w.prefetch(here, i, 0);
    }
    if (!streaming) out.prefetch(here, i, 0);
  }

  template <int spins>
  QUDA_DEVICE void operator()(ColorVectors<real, spins> &sum, const Place &here, int i, int rhs, const Sums &into) const
  {
    const int n = together ? 0 : rhs;
    const real by = b[n];
    real v[reals];
    if constexpr (spins == 4) {
      if (twist.of_sum) {
        QUDA_UNROLL
        for (int k = 0; k < sum.numbers; k++)
          sum.number(k) = twist.add(scaled(real(twist.one), sum.number(k)), twist.a, sum.number(k), k);
      }
      if (twist.of_x) {
        const auto q = x.read(here, i);
        const real scale = q.scale() * real(a[n]), one = scale * real(twist.one), turn = scale * twist.a_of(i);
        QUDA_UNROLL
        for (int k = 0; k < reals / 2; k++) {
          const Complex<real> z = {q.raw(2 * k), q.raw(2 * k + 1)}, w = twist.add(scaled(one, z), turn, z, k);
          v[2 * k] = fma(by, sum.number(k).re, w.re);
          v[2 * k + 1] = fma(by, sum.number(k).im, w.im);
        }
        add_other(v, here, i, n);
        return put(v, here, i, rhs, into);
      }
    }
    if (add_x) {
      const auto q = x.read(here, i);
      const real scale = q.scale() * real(a[n]);
      QUDA_UNROLL
      for (int k = 0; k < reals / 2; k++) {
        v[2 * k] = fma(by, sum.number(k).re, scale * q.raw(2 * k));
        v[2 * k + 1] = fma(by, sum.number(k).im, scale * q.raw(2 * k + 1));
      }
    } else {
      QUDA_UNROLL
      for (int k = 0; k < reals / 2; k++) {
        v[2 * k] = by * sum.number(k).re;
        v[2 * k + 1] = by * sum.number(k).im;
      }
    }
    put(v, here, i, rhs, into);
  }

  /// v + a b x of the other flavour
  QUDA_DEVICE void add_other(real (&v)[reals], const Place &here, int i, int n) const
  {
    if (!twist.mixes) return;
    const auto q = x.read(here, i ^ 1);
    const real scale = q.scale() * real(a[n]) * real(twist.b);
    QUDA_UNROLL
    for (int k = 0; k < reals; k++) v[k] = fma(scale, q.raw(k), v[k]);
  }

  /// out = v + c y
  QUDA_DEVICE void put(real (&v)[reals], const Place &here, int i, int rhs, const Sums &into) const
  {
    if constexpr (adds_up) {
      if (sums.any()) return put_and_sum(v, here, i, rhs, into);
    }
    if (add_y) {
      const auto q = y.read(here, i);
      const real scale = q.scale() * real(c[together ? 0 : rhs]);
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) v[k] = fma(scale, q.raw(k), v[k]);
    }
    out.write(here, i, v, streaming);
  }

  QUDA_OUTLINE void put_and_sum(real (&v)[reals], const Place &here, int i, int rhs, const Sums &into) const
  {
    real before[reals];
    QUDA_UNROLL
    for (int k = 0; k < reals; k++) before[k] = real(0.0);
    if (add_y) {
      const auto q = y.read(here, i);
      const real scale = q.scale() * real(c[together ? 0 : rhs]);
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) {
        v[k] = fma(scale, q.raw(k), v[k]);
        before[k] = scale * q.raw(k);
      }
    }
    out.write(here, i, v, streaming);
    if constexpr (is_fixed<S>) { // the stored value
      const auto q = out.read(here, i);
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) v[k] = q[k];
    }
    sums.add(v, before, here, i, rhs, into);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
