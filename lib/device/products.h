#pragma once
/// Products of 3 x 3 matrices whose factors are read element by element: matrices, links in memory
/// (link_operand.h), and adjoints of either: product(a.read(), adjoint_of(b.read())). All sum over k = 0, 1, 2 in this
/// order, so they agree to the bit; they differ in register use. On the CPU 18 of 32 registers sum a
/// matrix and 6 hold a column or a row of a factor; the other factors come from the first-level cache.
///
///   product         A B            in registers, column by column of A (matrix.h)
///   add_product     C += A B       a column of C at a time: C may lie in memory while A is held
///   set_product     C = A B        a function of its own, row by row, in memory; C may be A
///   accumulate      C += A B       a function of its own, C in registers

#include "device/anti_hermitian.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R, class A, class B> QUDA_DEVICE void add_product(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> column[3] = {c(0, j), c(1, j), c(2, j)};
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      const auto bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) column[i] = multiply_add(a(i, k), bkj, column[i]);
    }
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) c(i, j) = column[i];
  }
}

template <class R, class A, class B> QUDA_OUTLINE void set_product(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    const decltype(element(a)) row[3] = {a(i, 0), a(i, 1), a(i, 2)};
    Complex<R> sum[3];
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) sum[j] = k ? multiply_add(row[k], b(k, j), sum[j]) : multiply(row[k], b(k, j));
    }
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c(i, j) = sum[j];
  }
}

template <class R, class A, class B> QUDA_OUTLINE void accumulate(Matrix<R> &c, const A &a, const B &b)
{
  Matrix<R> sum = c;
  add_columns<false>(sum, a, b);
  c = sum;
}

/// C = A
template <class R, class A> QUDA_DEVICE void set_matrix(Matrix<R> &c, const A &a)
{
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = a(k / 3, k % 3);
}

/// A B^dag - B A^dag, trace included: the real diagonal of the product is never computed.
template <class A, class B> QUDA_DEVICE auto anti_hermitian_product(const A &a, const B &b)
{
  using R = typename decltype(element(a))::real;
  AntiHermitian<R> s;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> x = a(i, k), y = b(i, k);
      s.diag[i] = k ? fma(x.im, y.re, s.diag[i]) : x.im * y.re;
      s.diag[i] = fnma(x.re, y.im, s.diag[i]);
    }
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      const int i = n < 2 ? 0 : 1, j = n < 1 ? 1 : 2;
      const Complex<R> x = a(i, k), y = b(j, k), u = b(i, k), v = a(j, k);
      Complex<R> off = k ? conj_multiply_add(y, x, s.off[n]) : conj_multiply(y, x);
      s.off[n].re = fnma(u.im, v.im, fnma(u.re, v.re, off.re));
      s.off[n].im = fma(u.re, v.im, fnma(u.im, v.re, off.im));
    }
  }
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) s.diag[i] = s.diag[i] + s.diag[i];
  return s;
}

/// A^dag B - B^dag A: the same for the adjoints, whose elements are conjugated one by one.
template <class A, class B> QUDA_DEVICE auto anti_hermitian_adjoint_product(const A &a, const B &b)
{
  const auto row_a = [&](int i, int k) QUDA_LAMBDA { return conj(a(k, i)); };
  const auto row_b = [&](int i, int k) QUDA_LAMBDA { return conj(b(k, i)); };
  return anti_hermitian_product(row_a, row_b);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
