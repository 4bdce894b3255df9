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

/// The type of a factor's elements, numbers or conjugates: decltype(element(a)).
template <class E> E value_of(const E &);
template <class A> auto element(const A &a) -> decltype(value_of(a(0, 0)));

/// The adjoint of a factor of a product: a matrix, or an operand read like one.
template <class M> struct Adjoint {
  M m;
  QUDA_DEVICE auto operator()(int i, int j) const { return conjugate(m(j, i)); }
};
template <class R> QUDA_DEVICE Adjoint<const Matrix<R> &> adjoint_of(const Matrix<R> &a) { return {a}; }
template <class A> QUDA_DEVICE Adjoint<A> adjoint_of(const A &a) { return {a}; }

/// C += A B, or C = A B if C is not set yet; column by column of A.
template <bool set, class R, class A, class B> QUDA_DEVICE void add_columns(Matrix<R> &c, const A &a, const B &b)
{
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const auto bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++)
        c(i, j) = set && k == 0 ? multiply(a(i, k), bkj) : multiply_add(a(i, k), bkj, c(i, j));
    }
  }
}

/// Whether a factor is in registers: a matrix or its adjoint, not an operand loaded at its use.
template <class A> inline constexpr bool in_registers = false;
template <class R> inline constexpr bool in_registers<Matrix<R>> = true;
template <class M> inline constexpr bool in_registers<Adjoint<M>> = in_registers<M>;
template <class M> inline constexpr bool in_registers<const M &> = in_registers<M>;

/// A B. If both matrices are in registers, element by element, so that fewest are live; else column by column
/// of A, so that each element is loaded once.
template <class A, class B> QUDA_DEVICE auto product(const A &a, const B &b)
{
  Matrix<typename decltype(element(a))::real> c;
  if constexpr (in_registers<A> && in_registers<B>) {
    QUDA_UNROLL
    for (int n = 0; n < 9; n++) {
      const int i = n / 3, j = n % 3;
      c.e[n] = multiply(a(i, 0), b(0, j));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c.e[n] = multiply_add(a(i, k), b(k, j), c.e[n]);
    }
  } else {
    add_columns<true>(c, a, b);
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
