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
