#pragma once
/// Exponentials of traceless anti-Hermitian 3 x 3 matrices.
///
/// X obeys X^3 = -p X + i d with p = -tr(X^2) / 2 >= 0 and d = Im det X, both real (Cayley and Hamilton), so any power
/// series of X is q_0 + q_1 X + q_2 X^2, and multiplying such a sum by X costs four real multiply-adds. exp X is the
/// Taylor series by Horner's rule. Where p > 1 the matrix is halved until p <= 1, and the sum squared as often: each
/// lane by itself, so no site's bits depend on its neighbours in the register. No division, no root, no branch on
/// vanishing elements.
/// Truncation : below rounding: |X| <= 2/sqrt(3) for p <= 1, orders 19 (double) and 12 (single).
/// Flops      : series 7 a term; p, d, X^2 and the sum 214: 347 in double, 298 in single.

#include "device/anti_hermitian.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Highest power kept by exponential().
template <class R> constexpr int exponential_order = sizeof(number_of<R>) == 8 ? 19 : 12;

/// 1 / k!, tabulated by the compiler.
template <class T, int order> struct InverseFactorials {
  T of[order + 1];
  constexpr InverseFactorials()
      : of {}
  {
    double f = 1;
    for (int k = 0; k <= order; k++) {
      of[k] = static_cast<T>(f);
      f /= k + 1;
    }
  }
};

/// q_0 + q_1 X + q_2 X^2
template <class R> struct CayleySum {
  Complex<R> q[3];
};

/// i a b, a real
template <class R> QUDA_DEVICE Complex<R> i_times(R a, Complex<R> b) { return {-(a * b.im), a * b.re}; }

/// sum_{k <= order} X^k / k!
template <int order, class R> QUDA_DEVICE CayleySum<R> taylor(R p, R d)
{
  constexpr InverseFactorials<number_of<R>, order> inverse_factorial;
  const R zero = R(0.0);
  Complex<R> q0 = {R(inverse_factorial.of[order]), zero}, q1 = {zero, zero}, q2 = {zero, zero};
  QUDA_UNROLL
  for (int k = order - 1; k >= 0; k--) {
    const Complex<R> next0 = {fnma(d, q2.im, R(inverse_factorial.of[k])), d * q2.re};
    const Complex<R> next1 = {fnma(p, q2.re, q0.re), fnma(p, q2.im, q0.im)};
    q2 = q1;
    q0 = next0;
    q1 = next1;
  }
  return {{q0, q1, q2}};
}

template <class R> QUDA_DEVICE CayleySum<R> square(const CayleySum<R> &s, R p, R d)
{
  const auto &[a, b, c] = s.q;
  const Complex<R> bc = multiply(b, c), cc = multiply(c, c), ab = multiply(a, b);
  const Complex<R> twice_bc = bc + bc, twice_ab = ab + ab, ac = multiply(a, c);
  const Complex<R> zeroth = multiply(a, a) + i_times(d, twice_bc);
  const Complex<R> first = twice_ab - scaled(p, twice_bc) + i_times(d, cc);
  const Complex<R> second = multiply(b, b) + (ac + ac) - scaled(p, cc);
  return {{zeroth, first, second}};
}

/// Im det X
template <class R> QUDA_DEVICE R im_determinant(const AntiHermitian<R> &x)
{
  // X = i H, H Hermitian: Im det X = -det H, and Re(H_01 H_12 H_20) = Im(X_01 X_12 conj(X_02))
  const auto norm2 = [](Complex<R> a) QUDA_LAMBDA { return fma(a.im, a.im, a.re * a.re); };
  const R d0 = x.diag[0], d1 = x.diag[1], d2 = x.diag[2];
  const Complex<R> corner = multiply(multiply(x.off[0], x.off[2]), conj(x.off[1]));
  R det_h = d0 * d1 * d2;
  det_h = fnma(d0, norm2(x.off[2]), det_h);
  det_h = fnma(d1, norm2(x.off[1]), det_h);
  det_h = fnma(d2, norm2(x.off[0]), det_h);
  return -(det_h + (corner.im + corner.im));
}

/// X^2, Hermitian: the elements 01, 02, 12 and the diagonal.
template <class R> struct HermitianSquare {
  Complex<R> off[3];
  R diag[3];

  QUDA_DEVICE explicit HermitianSquare(const AntiHermitian<R> &x)
  {
    const auto norm2 = [](Complex<R> a) QUDA_LAMBDA { return fma(a.im, a.im, a.re * a.re); };
    const auto [a, b, c] = x.off;
    const R n01 = norm2(a), n02 = norm2(b), n12 = norm2(c);
    diag[0] = -fma(x.diag[0], x.diag[0], n01 + n02);
    diag[1] = -fma(x.diag[1], x.diag[1], n01 + n12);
    diag[2] = -fma(x.diag[2], x.diag[2], n02 + n12);
    // i (d_i + d_j) X_ij and the product through the third index
    const Complex<R> ab = conj_multiply(c, b), ac = multiply(a, c), bc = conj_multiply(a, b);
    const R s01 = x.diag[0] + x.diag[1], s02 = x.diag[0] + x.diag[2], s12 = x.diag[1] + x.diag[2];
    off[0] = {-fma(s01, a.im, ab.re), fms(s01, a.re, ab.im)};
    off[1] = {fnma(s02, b.im, ac.re), fma(s02, b.re, ac.im)};
    off[2] = {-fma(s12, c.im, bc.re), fms(s12, c.re, bc.im)};
  }
};

/// sum of the series in X, as a matrix.
template <class R> QUDA_DEVICE Matrix<R> evaluate(const CayleySum<R> &s, const AntiHermitian<R> &x)
{
  const HermitianSquare<R> square(x);
  Matrix<R> e;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    // q_0 + i q_1 d + q_2 (X^2)_ii
    e(i, i).re = fma(s.q[2].re, square.diag[i], fnma(s.q[1].im, x.diag[i], s.q[0].re));
    e(i, i).im = fma(s.q[2].im, square.diag[i], fma(s.q[1].re, x.diag[i], s.q[0].im));
  }
  QUDA_UNROLL
  for (int n = 0; n < 3; n++) {
    const int i = n < 2 ? 0 : 1, j = n < 1 ? 1 : 2;
    const Complex<R> a = x.off[n], below = {-a.re, a.im};
    e(i, j) = multiply_add(s.q[1], a, multiply(s.q[2], square.off[n]));
    e(j, i) = multiply_add(s.q[1], below, multiply(s.q[2], conj(square.off[n])));
  }
  return e;
}

/// Lane by lane, `now` if `more`, else `old`.
template <class Choice, class R>
QUDA_DEVICE CayleySum<R> chosen(const Choice &more, const CayleySum<R> &now, const CayleySum<R> &old)
{
  CayleySum<R> sum;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++)
    sum.q[k] = {select(more, now.q[k].re, old.q[k].re), select(more, now.q[k].im, old.q[k].im)};
  return sum;
}

/// X halved until its series is short: p and d of scale X, scale = 2^-halvings.
template <class R> struct HalvedArgument {
  R p, d, scale = R(1.0), halvings = R(0.0);

  QUDA_DEVICE explicit HalvedArgument(const AntiHermitian<R> &x)
      : p(x.half_norm2())
      , d(im_determinant(x))
  {
    const R one = R(1.0), most = R(64.0); // infinities end as NaN
    while (any((p > one) & (halvings < most))) {
      const auto large = (p > one) & (halvings < most);
      p = select(large, R(0.25) * p, p);
      d = select(large, R(0.125) * d, d);
      scale = select(large, R(0.5) * scale, scale);
      halvings = select(large, halvings + one, halvings);
    }
  }
};

/// exp X, to rounding for any X.
template <class R> QUDA_DEVICE Matrix<R> exponential(const AntiHermitian<R> &x)
{
  const HalvedArgument<R> to(x);
  CayleySum<R> s = taylor<exponential_order<R>>(to.p, to.d);
  for (R left = to.halvings; any(left > R(0.0)); left = left - R(1.0))
    s = chosen(left > R(0.0), square(s, to.p, to.d), s);
  s.q[1] = scaled(to.scale, s.q[1]);
  s.q[2] = scaled(to.scale * to.scale, s.q[2]);
  return evaluate(s, x);
}

/// sum_{k <= order} X^k / k!, not continued to rounding: for updates whose step-size error must stay as it is.
template <int order, class R> QUDA_DEVICE Matrix<R> truncated_exponential(const AntiHermitian<R> &x)
{
  return evaluate(taylor<order>(x.half_norm2(), im_determinant(x)), x);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
