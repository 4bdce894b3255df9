#pragma once
/// Products of 3 x 3 matrices whose factors are read element by element: links where they lie (link_operand.h), or
/// matrices. On the CPU 18 of 32 registers sum a matrix and 6 hold a column or a row of a factor; the rest of what is
/// multiplied comes from the first-level cache. Orders of summation are those of matrix.h.

#include "device/anti_hermitian.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

// Part of the function that calls them, column by column of A: the product is held in registers, as the next one's
// factor.

/// A B
template <class R, class A, class B> QUDA_DEVICE Matrix<R> product(const A &a, const B &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) c(i, j) = k ? multiply_add(a(i, k), bkj, c(i, j)) : multiply(a(i, k), bkj);
    }
  }
  return c;
}

/// A^dag B
template <class R, class A, class B> QUDA_DEVICE Matrix<R> adjoint_product(const A &a, const B &b)
{
  Matrix<R> c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) c(i, j) = k ? conj_multiply_add(a(k, i), bkj, c(i, j)) : conj_multiply(a(k, i), bkj);
    }
  }
  return c;
}

/// C += A B, a column of C at a time: C may lie in memory while A is held.
template <class R, class B> QUDA_DEVICE void add_product(Matrix<R> &c, const Matrix<R> &a, const B &b)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> column[3] = {c(0, j), c(1, j), c(2, j)};
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) column[i] = multiply_add(a(i, k), bkj, column[i]);
    }
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) c(i, j) = column[i];
  }
}

/// C += A B^dag
template <class R, class B> QUDA_DEVICE void add_product_adjoint(Matrix<R> &c, const Matrix<R> &a, const B &b)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> column[3] = {c(0, j), c(1, j), c(2, j)};
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      const Complex<R> bjk = b(j, k);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) column[i] = conj_multiply_add(bjk, a(i, k), column[i]);
    }
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) c(i, j) = column[i];
  }
}

/// A B^dag - B A^dag, trace and all: the real diagonal of the product is never made.
template <class R, class A, class B> QUDA_DEVICE AntiHermitian<R> anti_hermitian_product(const A &a, const B &b)
{
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

/// A^dag B - B^dag A, likewise.
template <class R, class A, class B> QUDA_DEVICE AntiHermitian<R> anti_hermitian_adjoint_product(const A &a, const B &b)
{
  // (A^dag)(B^dag)^dag: rows of the adjoints are conjugate columns
  const auto row_a = [&](int i, int k) QUDA_LAMBDA { return conj(a(k, i)); };
  const auto row_b = [&](int i, int k) QUDA_LAMBDA { return conj(b(k, i)); };
  return anti_hermitian_product<R>(row_a, row_b);
}

// Functions of their own, row by row: a product of many factors is made in memory.

/// C = A
template <class R, class A> QUDA_DEVICE void set_matrix(Matrix<R> &c, const A &a)
{
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) c.e[k] = a(k / 3, k % 3);
}

/// Row i of A.
template <class R, class A> QUDA_DEVICE void row_of(Complex<R> (&c)[3], const A &a, int i)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) c[j] = a(i, j);
}

/// c = a B, rows.
template <class R, class B> QUDA_DEVICE void row_times(Complex<R> (&c)[3], const Complex<R> (&a)[3], const B &b)
{
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c[j] = k == 0 ? multiply(a[k], b(k, j)) : multiply_add(a[k], b(k, j), c[j]);
  }
}

/// c = a B^dag, rows.
template <class R, class B> QUDA_DEVICE void row_times_adjoint(Complex<R> (&c)[3], const Complex<R> (&a)[3], const B &b)
{
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c[j] = k == 0 ? conj_multiply(b(j, k), a[k]) : conj_multiply_add(b(j, k), a[k], c[j]);
  }
}

/// C = A B
template <class R, class A, class B> QUDA_OUTLINE void set_product(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> row[3], sum[3];
    row_of(row, a, i);
    row_times(sum, row, b);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c(i, j) = sum[j];
  }
}

/// C = A B^dag
template <class R, class A, class B> QUDA_OUTLINE void set_product_adjoint(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> row[3], sum[3];
    row_of(row, a, i);
    row_times_adjoint(sum, row, b);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c(i, j) = sum[j];
  }
}

/// P = P B
template <class R, class B> QUDA_OUTLINE void multiply_by(Matrix<R> &p, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> row[3], sum[3];
    row_of(row, p, i);
    row_times(sum, row, b);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) p(i, j) = sum[j];
  }
}

/// P = P B^dag
template <class R, class B> QUDA_OUTLINE void multiply_by_adjoint(Matrix<R> &p, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> row[3], sum[3];
    row_of(row, p, i);
    row_times_adjoint(sum, row, b);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) p(i, j) = sum[j];
  }
}

/// C = A^dag B
template <class R, class A, class B> QUDA_OUTLINE void set_adjoint_product(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> sum[3];
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      const Complex<R> e = a(k, i);
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) sum[j] = k == 0 ? conj_multiply(e, b(k, j)) : conj_multiply_add(e, b(k, j), sum[j]);
    }
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) c(i, j) = sum[j];
  }
}

/// C += A B
template <class R, class A, class B> QUDA_OUTLINE void accumulate(Matrix<R> &c, const A &a, const B &b)
{
  Matrix<R> sum = c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) sum(i, j) = multiply_add(a(i, k), bkj, sum(i, j));
    }
  }
  c = sum;
}

/// C += A^dag B
template <class R, class A, class B> QUDA_OUTLINE void accumulate_adjoint(Matrix<R> &c, const A &a, const B &b)
{
  Matrix<R> sum = c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) sum(i, j) = conj_multiply_add(a(k, i), bkj, sum(i, j));
    }
  }
  c = sum;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
