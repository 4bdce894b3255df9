#pragma once
/// Projection of 3 x 3 matrices onto U(3), the unitary factor of the polar decomposition, by Newton's iteration
///   X <- (X + (X^-1)^dag) / 2,
/// and onto SU(3), that divided by the principal cube root of its determinant. Lanes that have converged, or can no
/// longer, stand still while others go on, so no site's bits depend on its neighbours in the register.

#include "device/matrix.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int most_polar_iterations = 100;

/// 1 / z
template <class R> QUDA_DEVICE Complex<R> inverse(R one, Complex<R> z)
{
  return scaled(one / fma(z.im, z.im, z.re * z.re), conj(z));
}

/// conj(det A), and in `cofactors` the matrix of conjugate cofactors.
template <class R> QUDA_DEVICE Complex<R> conj_determinant(const Matrix<R> &a, Matrix<R> &cofactors)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    QUDA_UNROLL
    for (int m = 0; m < 3; m++) {
      const int n = (m + 1) % 3, l = (m + 2) % 3;
      cofactors(i, m) = conj_cross(a(j, n), a(k, l), a(j, l), a(k, n));
    }
  }
  Complex<R> d = conj_multiply(a(0, 0), cofactors(0, 0));
  d = conj_multiply_add(a(0, 1), cofactors(0, 1), d);
  return conj_multiply_add(a(0, 2), cofactors(0, 2), d);
}

/// (A^-1)^dag
template <class R> QUDA_DEVICE Matrix<R> inverse_adjoint(R one, const Matrix<R> &a)
{
  Matrix<R> c;
  const Complex<R> d = inverse(one, conj_determinant(a, c));
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = multiply(d, c.e[k]);
  return c;
}

/// Where |x| <= bound; never where x is NaN.
template <class R> QUDA_DEVICE auto within(R x, R bound) { return (x <= bound) & (-x <= bound); }

/// Where every component of A^dag A - 1 is within the bound.
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
/// right to ten degrees, which six steps take to rounding.
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
  // once more: rounding of the phase is then all that the bound has to bear
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
