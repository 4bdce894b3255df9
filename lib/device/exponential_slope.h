#pragma once
/// The derivative of exponentials of traceless anti-Hermitian 3 x 3 matrices (device/exponential.h).
///
/// exp X = q_0 + q_1 X + q_2 X^2 where the q are power series in p = -tr(X^2) / 2 and d = Im det X. Their derivatives by
/// p and d come from the same Horner's rule and the same squarings, and dp = -tr(X dX), dd = -i tr(X^2 dX). No
/// eigenvalue is computed and nothing is divided by a difference of two: eigenvalues may be equal. For any M
///   Re tr(M d exp X) = Re tr(L dX),  L = TA(q_1 M + q_2 (M X + X M)) - Re(P) X - Re(D) i (X^2 + 2 p / 3),
///   P = sum_k tr(M X^k) dq_k/dp,  D = sum_k tr(M X^k) dq_k/dd
/// (Morningstar and Peardon, hep-lat/0311018, section III, without their closed forms of the q).

#include "device/exponential.h"
#include "device/products.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// exp X as a sum, and the derivatives of its coefficients.
template <class R> struct ExponentialSlope {
  CayleySum<R> at, by_p, by_d;
};

/// sum_{k <= order} X^k / k! with its derivatives.
template <int order, class R> QUDA_DEVICE void set_taylor(ExponentialSlope<R> &s, R p, R d)
{
  constexpr InverseFactorials<number_of<R>, order> inverse_factorial;
  const R zero = R(0.0);
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) s.at.q[k] = s.by_p.q[k] = s.by_d.q[k] = {zero, zero};
  s.at.q[0].re = R(inverse_factorial.of[order]);
  const auto shift = [&](CayleySum<R> &sum, Complex<R> more0, Complex<R> more1) QUDA_LAMBDA {
    const Complex<R> q0 = sum.q[0], q2 = sum.q[2];
    sum.q[2] = sum.q[1];
    sum.q[1] = {fnma(p, q2.re, q0.re) + more1.re, fnma(p, q2.im, q0.im) + more1.im};
    sum.q[0] = more0 + i_times(d, q2);
  };
  for (int k = order - 1; k >= 0; k--) {
    const Complex<R> none = {zero, zero}, old = s.at.q[2];
    shift(s.by_p, none, {-old.re, -old.im});
    shift(s.by_d, {-old.im, old.re}, none);
    shift(s.at, {R(inverse_factorial.of[k]), zero}, none);
  }
}

/// The square of the sum, with its derivatives; p and d belong to the matrix of the sum's powers.
template <class R> QUDA_OUTLINE void set_square(ExponentialSlope<R> &s, R p, R d)
{
  const Complex<R> a = s.at.q[0], b = s.at.q[1], c = s.at.q[2];
  const auto twice = [](Complex<R> z) QUDA_LAMBDA { return z + z; };
  const auto along = [&](const CayleySum<R> &by) QUDA_LAMBDA {
    const Complex<R> bc = twice(multiply_add(b, by.q[2], multiply(by.q[1], c))), cc = twice(multiply(c, by.q[2]));
    const Complex<R> aa = twice(multiply(a, by.q[0])), ab = twice(multiply_add(a, by.q[1], multiply(by.q[0], b)));
    const Complex<R> bb = twice(multiply(b, by.q[1])), ac = twice(multiply_add(a, by.q[2], multiply(by.q[0], c)));
    return CayleySum<R> {{aa + i_times(d, bc), ab - scaled(p, bc) + i_times(d, cc), bb + ac - scaled(p, cc)}};
  };
  CayleySum<R> by_p = along(s.by_p), by_d = along(s.by_d);
  const Complex<R> twice_bc = twice(multiply(b, c)), cc = multiply(c, c);
  const R one = R(1.0);
  by_p.q[1] = by_p.q[1] - twice_bc;
  by_p.q[2] = by_p.q[2] - cc;
  by_d.q[0] = by_d.q[0] + i_times(one, twice_bc);
  by_d.q[1] = by_d.q[1] + i_times(one, cc);
  s.at = square(s.at, p, d);
  s.by_p = by_p;
  s.by_d = by_d;
}

/// exp X and its derivatives, to rounding for any X.
template <class R> QUDA_DEVICE void set_exponential(ExponentialSlope<R> &s, const AntiHermitian<R> &x)
{
  const HalvedArgument<R> to(x);
  set_taylor<exponential_order<R>>(s, to.p, to.d);
  for (R left = to.halvings; any(left > R(0.0)); left = left - R(1.0)) {
    const auto more = left > R(0.0);
    ExponentialSlope<R> squared = s;
    set_square(squared, to.p, to.d);
    s.at = chosen(more, squared.at, s.at);
    s.by_p = chosen(more, squared.by_p, s.by_p);
    s.by_d = chosen(more, squared.by_d, s.by_d);
  }
  const R scale = to.scale, scale2 = scale * scale;
  const auto unscale = [&](CayleySum<R> &sum, R factor) QUDA_LAMBDA {
    sum.q[0] = scaled(factor, sum.q[0]);
    sum.q[1] = scaled(factor * scale, sum.q[1]);
    sum.q[2] = scaled(factor * scale2, sum.q[2]);
  };
  unscale(s.at, R(1.0));
  unscale(s.by_p, scale2);
  unscale(s.by_d, scale2 * scale);
}

/// L for M.
template <class R>
QUDA_DEVICE AntiHermitian<R> pulled_back(const ExponentialSlope<R> &s, const AntiHermitian<R> &x, const Matrix<R> &m)
{
  const Matrix<R> whole = x.matrix();
  Matrix<R> xm, sum;
  set_product(xm, whole, m);
  set_product(sum, m, whole);
  // tr(M X^k)
  const Complex<R> t0 = trace(m), t1 = trace(xm);
  Complex<R> t2 = multiply(xm(0, 0), whole(0, 0));
  QUDA_UNROLL
  for (int k = 1; k < 9; k++) t2 = multiply_add(xm(k / 3, k % 3), whole(k % 3, k / 3), t2);
  const auto real_part = [&](const CayleySum<R> &by) QUDA_LAMBDA {
    const auto re = [](Complex<R> a, Complex<R> b) QUDA_LAMBDA { return fnma(a.im, b.im, a.re * b.re); };
    return re(t0, by.q[0]) + re(t1, by.q[1]) + re(t2, by.q[2]);
  };
  const R P = real_part(s.by_p), D = real_part(s.by_d);
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) sum.e[k] = multiply_add(s.at.q[1], m.e[k], multiply(s.at.q[2], sum.e[k] + xm.e[k]));
  AntiHermitian<R> l = add_scaled(-P, x, traceless_anti_hermitian(sum));
  const HermitianSquare<R> square(x);
  const R third = R(2.0 / 3.0) * x.half_norm2();
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    l.off[k] = {fma(D, square.off[k].im, l.off[k].re), fnma(D, square.off[k].re, l.off[k].im)};
    l.diag[k] = fnma(D, square.diag[k] + third, l.diag[k]);
  }
  return l;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
