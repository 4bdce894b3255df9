#pragma once
/// Finish of the hops of clover fermions.

#include "device/clover.h"
#include "kernels/dirac/clover_call.h"
#include "kernels/dirac/finish.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// out = a (A + shift + T) x + b sum + c y, or with an inverse clover term B out = a x + b (A + T) B sum + c y; T the
/// twist i a gamma5 tau3 + b tau1. Terms without a field are left out.
template <class S, class Sums = NoSiteSums> struct CloverFinish {
  using number = number_of<S>;
  using real = Real<S>;
  using Into = Sums;
  AddTo<S, 24, Sums> to;
  Clover<S> clover, term;
  bool inverse;
  bool twisted; // the twist multiplies the sum
  number shift;

  CloverFinish(const CloverCall &c, const TuneParam &tp)
      : to(c, tp)
      , clover(c.clover)
      , term(c.term.data ? c.term : c.clover)
      , inverse(c.inverse)
      , twisted(to.twist.of_sum)
      , shift(static_cast<number>(c.shift))
  {
    to.twist.of_sum = false; // done here instead
  }

  QUDA_DEVICE void prefetch(const Place &here, int i) const { to.prefetch(here, i); }

  /// sum = B sum or (A + T) B sum
  QUDA_DEVICE void multiply(ColorVectors<real, 4> &sum, const Place &here) const
  {
    QUDA_UNROLL
    for (int block = 0; block < 2; block++) {
      Complex<real> x[6], y[6];
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) x[k] = sum.number(6 * block + k);
      const auto b = clover.read(here, block);
      block_product(y, b, x);
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) sum.number(6 * block + k) = scaled(b.scale(), y[k]);
      if (!twisted) continue;
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) x[k] = sum.number(6 * block + k);
      const auto t = term.read(here, block);
      block_product(y, t, x);
      QUDA_UNROLL
      for (int k = 0; k < 6; k++)
        sum.number(6 * block + k) = to.twist.add(scaled(t.scale(), y[k]), to.twist.a, x[k], 6 * block);
    }
  }

  /// v = a (A + shift + T) x + b sum
  QUDA_DEVICE void add(real (&v)[24], const ColorVectors<real, 4> &sum, const Place &here, int i, int rhs) const
  {
    const int n = to.together ? 0 : rhs;
    const auto q = to.x.read(here, i);
    const real a = q.scale() * real(to.a[n]), by = to.b[n], shifted = a * real(shift);
    QUDA_UNROLL
    for (int block = 0; block < 2; block++) {
      Complex<real> x[6], y[6];
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) x[k] = {q.raw(12 * block + 2 * k), q.raw(12 * block + 2 * k + 1)};
      const auto b = clover.read(here, block);
      block_product(y, b, x);
      const real scale = b.scale() * a;
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        const Complex<real> s = sum.number(6 * block + k);
        v[12 * block + 2 * k] = fma(by, s.re, fma(shifted, x[k].re, scale * y[k].re));
        v[12 * block + 2 * k + 1] = fma(by, s.im, fma(shifted, x[k].im, scale * y[k].im));
      }
      if (!to.twist.of_x) continue;
      const real turn = a * to.twist.a_of(i);
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        real &re = v[12 * block + 2 * k], &im = v[12 * block + 2 * k + 1];
        const Complex<real> w = to.twist.add({re, im}, turn, x[k], 6 * block);
        re = w.re;
        im = w.im;
      }
    }
    to.add_other(v, here, i, n);
  }

  QUDA_DEVICE void operator()(ColorVectors<real, 4> &sum, const Place &here, int i, int rhs, const Sums &into) const
  {
    if (inverse) multiply(sum, here);
    if (inverse || !to.add_x) {
      to(sum, here, i, rhs, into);
    } else {
      real v[24];
      add(v, sum, here, i, rhs);
      to.put(v, here, i, rhs, into);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
