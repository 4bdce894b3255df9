#pragma once
/// Projection of 3 x 3 matrices onto U(3), the unitary factor of the polar decomposition, by Newton's iteration
///   X <- (X + (X^-1)^dag) / 2,
/// and onto SU(3), the same divided by the principal cube root of its determinant. Lanes that have converged, or can
/// no longer, stay unchanged while others go on, so no site's bits depend on its neighbours in the register.
/// Singular values may be equal. If some are small relative to others, cofactors cancel and are computed in twice
/// the precision, so that the only loss is from the rounding of A: the rounding times largest by smallest.

#include "device/matrix.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int most_polar_iterations = 100;

/// 1 / z
template <class R> QUDA_DEVICE Complex<R> inverse(R one, Complex<R> z)
{
  return scaled(one / fma(z.im, z.im, z.re * z.re), conj(z));
}

/// A sum of products in twice the precision of its numbers (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005)
/// 1955).
template <class R> struct SumOfProducts {
  R sum, rest;

  QUDA_DEVICE SumOfProducts(R a, R b)
      : sum(a * b)
      , rest(fms(a, b, sum))
  {
  }
  QUDA_DEVICE void add(R a, R b)
  {
    const R p = a * b, next = sum + p, part = next - sum;
    rest = rest + fms(a, b, p) + ((sum - (next - part)) + (p - part));
    sum = next;
  }
  QUDA_DEVICE R value() const { return sum + rest; }
};

/// conj_cross() in twice the precision.
template <class R> QUDA_DEVICE Complex<R> accurate_conj_cross(Complex<R> a, Complex<R> b, Complex<R> c, Complex<R> d)
{
  SumOfProducts<R> re(a.re, b.re), im(-a.re, b.im);
  re.add(-a.im, b.im);
  re.add(-c.re, d.re);
  re.add(c.im, d.im);
  im.add(-a.im, b.re);
  im.add(c.re, d.im);
  im.add(c.im, d.re);
  return {re.value(), im.value()};
}

/// conj(det A), and in `cofactors` the matrix of conjugate cofactors; accurate: these in twice the precision.
template <bool accurate = false, class R>
QUDA_DEVICE Complex<R> conj_determinant(const Matrix<R> &a, Matrix<R> &cofactors)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    QUDA_UNROLL
    for (int m = 0; m < 3; m++) {
      const int n = (m + 1) % 3, l = (m + 2) % 3;
      cofactors(i, m) = accurate ? accurate_conj_cross(a(j, n), a(k, l), a(j, l), a(k, n))
                                 : conj_cross(a(j, n), a(k, l), a(j, l), a(k, n));
    }
  }
  Complex<R> d = conj_multiply(a(0, 0), cofactors(0, 0));
  d = conj_multiply_add(a(0, 1), cofactors(0, 1), d);
  return conj_multiply_add(a(0, 2), cofactors(0, 2), d);
}

/// Cofactors and determinant again, in twice the precision, where they cancel.
template <class R, class Mask>
QUDA_OUTLINE void make_accurate(Complex<R> &det, Matrix<R> &cofactors, const Matrix<R> &a, Mask where)
{
  Matrix<R> c;
  const Complex<R> d = conj_determinant<true>(a, c);
  det = {select(where, d.re, det.re), select(where, d.im, det.im)};
  QUDA_UNROLL
  for (int k = 0; k < 9; k++)
    cofactors.e[k] = {select(where, c.e[k].re, cofactors.e[k].re), select(where, c.e[k].im, cofactors.e[k].im)};
}

/// (A^-1)^dag. Cofactors lose as many digits as |A|^3 exceeds |det A| by: beyond 12 bits they are computed again.
template <class R> QUDA_DEVICE Matrix<R> inverse_adjoint(R one, const Matrix<R> &a)
{
  Matrix<R> c;
  Complex<R> d = conj_determinant(a, c);
  const R norm2 = re_trace_adjoint(a, a);
  const auto cancel = fma(d.im, d.im, d.re * d.re) <= R(0x1p-24) * (norm2 * norm2 * norm2);
  if (any(cancel)) make_accurate(d, c, a, cancel);
  d = inverse(one, d);
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = multiply(d, c.e[k]);
  return c;
}

/// Mask: |x| <= bound, false for NaN.
template <class R> QUDA_DEVICE auto within(R x, R bound) { return (x <= bound) & (-x <= bound); }

/// Mask: every component of A^dag A - 1 is within the bound.
template <class R> QUDA_DEVICE auto unitary_within(R one, const Matrix<R> &a, R bound)
{
  auto good = within(one, one);
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    QUDA_UNROLL
    for (int j = i; j < 3; j++) {
      Complex<R> c = conj_multiply(a(0, i), a(0, j));
      c = conj_multiply_add(a(2, i), a(2, j), conj_multiply_add(a(1, i), a(1, j), c));
      good = good & within(i == j ? c.re - one : c.re, bound) & within(c.im, bound);
    }
  }
  return good;
}

/// The cube root of z nearest to the positive real axis; |z| near 1. Newton's iteration from a guess whose direction is
/// correct to ten degrees, which six steps take to rounding.
template <class R> QUDA_DEVICE Complex<R> cube_root(Complex<R> z)
{
  const R one = R(1.0), third = R(1.0 / 3.0);
  const R rise = R(0.433) * (one - z.re);
  Complex<R> w = {fma(R(0.25), z.re, R(0.75)), select(z.im >= R(0.0), rise, -rise)};
  for (int i = 0; i < 6; i++) {
    const Complex<R> correction = multiply(z, inverse(one, multiply(w, w)));
    w = scaled(third, w + w + correction);
  }
  return w;
}

/// The projection of A; iterates until X and (X^-1)^dag agree, and X^dag X is 1, to within `bound` in every
/// component. `failed` is set where the result is not unitary to within the bound. special: onto SU(3).
template <class R, class Mask>
QUDA_DEVICE Matrix<R> project_su3(const Matrix<R> &a, R bound, Mask &failed, bool special = true)
{
  const R one = R(1.0), half = R(0.5);
  Matrix<R> x = a, y = inverse_adjoint(one, x);
  Mask active = one <= one;
  for (int n = 0; n < most_polar_iterations && any(active); n++) {
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) {
      x.e[k].re = select(active, half * (x.e[k].re + y.e[k].re), x.e[k].re);
      x.e[k].im = select(active, half * (x.e[k].im + y.e[k].im), x.e[k].im);
    }
    y = inverse_adjoint(one, x);
    Mask done = unitary_within(one, x, bound);
    R size = x.e[0].re - x.e[0].re;
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) {
      const Complex<R> difference = x.e[k] - y.e[k];
      done = done & within(difference.re, bound) & within(difference.im, bound);
      size = size + difference.re + difference.im;
    }
    active = active & !done & (size == size);
  }
  // once more: then only the rounding of the phase counts towards the bound
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) x.e[k] = scaled(half, x.e[k] + y.e[k]);
  if (special) {
    Matrix<R> cofactors;
    const Complex<R> phase = inverse(one, cube_root(conj(conj_determinant(x, cofactors))));
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) x.e[k] = multiply(phase, x.e[k]);
  }
  failed = !unitary_within(one, x, bound);
  return x;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
