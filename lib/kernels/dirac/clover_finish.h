#pragma once
/// The finish of hops of clover fermions.

#include "device/clover.h"
#include "kernels/dirac/clover_call.h"
#include "kernels/dirac/finish.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// out = a (A + shift) x + b sum + c y, or with an inverse clover term out = a x + b A^-1 sum + c y; without the terms
/// whose fields are not there.
template <class S, class Sums = NoSiteSums> struct CloverFinish {
  using number = number_of<S>;
  using real = Real<S>;
  using Into = Sums;
  AddTo<S, 24, Sums> to;
  Clover<S> clover;
  bool inverse;
  number shift;

  CloverFinish(const CloverCall &c, const TuneParam &tp)
      : to(c, tp)
      , clover(c.clover)
      , inverse(c.inverse)
      , shift(static_cast<number>(c.shift))
  {
  }

  /// sum = A^-1 sum
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
    }
  }

  /// v = a (A + shift) x + b sum
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
    }
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
