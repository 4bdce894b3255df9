#pragma once
/// Eigenvectors of Hermitian 3 x 3 matrices by Jacobi's rotations, in cyclic order. A matrix that is diagonal to
/// rounding is left unchanged to the bit, so the result of a lane does not depend on the others' iterations.

#include "device/complex.h"
#include "device/matrix.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int most_jacobi_sweeps = 10;

template <class R> struct HermitianMatrix {
  R diag[3];
  Complex<R> off[3]; // 01, 02, 12
};

/// A^dag A
template <class R> QUDA_DEVICE HermitianMatrix<R> gram(const Matrix<R> &a)
{
  HermitianMatrix<R> h;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    h.diag[i] = a(0, i).re * a(0, i).re;
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      if (k) h.diag[i] = fma(a(k, i).re, a(k, i).re, h.diag[i]);
      h.diag[i] = fma(a(k, i).im, a(k, i).im, h.diag[i]);
    }
  }
  QUDA_UNROLL
  for (int n = 0; n < 3; n++) {
    const int i = n < 2 ? 0 : 1, j = n < 1 ? 1 : 2;
    h.off[n] = conj_multiply(a(0, i), a(0, j));
    h.off[n] = conj_multiply_add(a(2, i), a(2, j), conj_multiply_add(a(1, i), a(1, j), h.off[n]));
  }
  return h;
}

template <class R> QUDA_DEVICE R norm2(Complex<R> z) { return fma(z.im, z.im, z.re * z.re); }

/// Zeroes element (p, q): H <- J^dag H J, Z <- Z J, J a rotation of columns p and q by at most an eighth of a turn.
template <int p, int q, class R> QUDA_DEVICE void rotate(HermitianMatrix<R> &h, Matrix<R> &z, R small2)
{
  const R zero = R(0.0), one = R(1.0);
  const Complex<R> a = h.off[p + q - 1];
  const R a2 = norm2(a), d = h.diag[q] - h.diag[p], root = sqrt(fma(d, d, R(4.0) * a2));
  const auto turns = a2 > small2;
  const R t = select(turns, R(2.0) / select(turns, select(d < zero, d - root, d + root), one), zero);
  const Complex<R> tangent = scaled(t, a);
  const R shift = t * a2, c = one / sqrt(one + norm2(tangent));
  const Complex<R> s = scaled(c, tangent);
  h.diag[p] = h.diag[p] - shift;
  h.diag[q] = h.diag[q] + shift;
  h.off[p + q - 1] = {select(turns, zero, a.re), select(turns, zero, a.im)};
  const auto turn = [&](Complex<R> &x, Complex<R> &y) QUDA_LAMBDA {
    const Complex<R> old = x;
    x = {fnma(s.im, y.im, fnma(s.re, y.re, c * old.re)), fma(s.im, y.re, fnma(s.re, y.im, c * old.im))};
    y = multiply_add(s, old, scaled(c, y));
  };
  constexpr int r = 3 - p - q;
  Complex<R> &rp = h.off[r + p - 1], &rq = h.off[r + q - 1]; // elements (r, p) and (r, q), or their conjugates
  if (r > p) rp = conj(rp);
  if (r > q) rq = conj(rq);
  turn(rp, rq);
  if (r > p) rp = conj(rp);
  if (r > q) rq = conj(rq);
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) turn(z(k, p), z(k, q));
}

/// The unitary Z whose columns are eigenvectors of H.
template <class R> QUDA_DEVICE Matrix<R> eigenvectors(HermitianMatrix<R> h)
{
  constexpr double unit = sizeof(number_of<R>) == 8 ? 0x1p-106 : 0x1p-48; // unit of rounding, squared
  const R trace = h.diag[0] + h.diag[1] + h.diag[2], small2 = R(unit) * (trace * trace);
  Matrix<R> z = multiple_of_unity(R(1.0));
  const auto left = [&]() QUDA_LAMBDA {
    return any((norm2(h.off[0]) > small2) | (norm2(h.off[1]) > small2) | (norm2(h.off[2]) > small2));
  };
  for (int n = 0; n < most_jacobi_sweeps && left(); n++) {
    rotate<0, 1>(h, z, small2);
    rotate<0, 2>(h, z, small2);
    rotate<1, 2>(h, z, small2);
  }
  return z;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
