#pragma once
/// 3 x 3 complex matrices in registers.

#include "device/complex.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> struct Matrix {
  Complex<R> e[9]; // row 3, col 3

  QUDA_DEVICE const Complex<R> &operator()(int i, int j) const { return e[3 * i + j]; }
  QUDA_DEVICE Complex<R> &operator()(int i, int j) { return e[3 * i + j]; }
};

/// A B
template <class R> QUDA_DEVICE Matrix<R> multiply(const Matrix<R> &a, const Matrix<R> &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      c(i, j) = multiply(a(i, 0), b(0, j));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c(i, j) = multiply_add(a(i, k), b(k, j), c(i, j));
    }
  }
  return c;
}

/// A B^dag
template <class R> QUDA_DEVICE Matrix<R> multiply_adjoint(const Matrix<R> &a, const Matrix<R> &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      c(i, j) = conj_multiply(b(j, 0), a(i, 0));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c(i, j) = conj_multiply_add(b(j, k), a(i, k), c(i, j));
    }
  }
  return c;
}

/// A^dag B
template <class R> QUDA_DEVICE Matrix<R> adjoint_multiply(const Matrix<R> &a, const Matrix<R> &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      c(i, j) = conj_multiply(a(0, i), b(0, j));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c(i, j) = conj_multiply_add(a(k, i), b(k, j), c(i, j));
    }
  }
  return c;
}

template <class R> QUDA_DEVICE Matrix<R> operator+(const Matrix<R> &a, const Matrix<R> &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = a.e[k] + b.e[k];
  return c;
}

template <class R> QUDA_DEVICE Matrix<R> operator-(const Matrix<R> &a, const Matrix<R> &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = a.e[k] - b.e[k];
  return c;
}

/// s A, s real
template <class R> QUDA_DEVICE Matrix<R> scaled(R s, const Matrix<R> &a)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = scaled(s, a.e[k]);
  return c;
}

/// C + s A, s real
template <class R> QUDA_DEVICE Matrix<R> add_scaled(R s, const Matrix<R> &a, const Matrix<R> &c)
{
  Matrix<R> b;
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) b.e[k] = {fma(s, a.e[k].re, c.e[k].re), fma(s, a.e[k].im, c.e[k].im)};
  return b;
}

template <class R> QUDA_DEVICE Matrix<R> adjoint(const Matrix<R> &a)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c(i, j) = conj(a(j, i));
  }
  return c;
}

/// s 1, s real
template <class R> QUDA_DEVICE Matrix<R> multiple_of_unity(R s)
{
  Matrix<R> c;
  const R zero = R(0.0);
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = {k % 4 == 0 ? s : zero, zero};
  return c;
}

template <class R> QUDA_DEVICE Complex<R> trace(const Matrix<R> &a) { return a.e[0] + a.e[4] + a.e[8]; }

/// Re tr(A B^dag), row by row.
template <class R> QUDA_DEVICE R re_trace_adjoint(const Matrix<R> &a, const Matrix<R> &b)
{
  R sum = a.e[0].re * b.e[0].re;
  sum = fma(a.e[0].im, b.e[0].im, sum);
  QUDA_UNROLL
  for (int k = 1; k < 9; k++) {
    sum = fma(a.e[k].re, b.e[k].re, sum);
    sum = fma(a.e[k].im, b.e[k].im, sum);
  }
  return sum;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
