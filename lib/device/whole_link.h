#pragma once
/// Links as operands of matrix products, and products that take them row by row.
///
/// A WholeLink is a link in the lanes of the register that asked for it, every element ready to be read where it is
/// used: on the CPU a pointer, to the field where the link lies there as it is wanted, else to a Room that holds it
/// with its lanes moved and its third row rebuilt; on a GPU registers. Products are functions of their own on the CPU:
/// within one, 18 registers sum a matrix, 6 hold a row, and the rest of what they multiply comes from the first-level
/// cache.

#include "device/gauge.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct WholeLink {
  Record<T, 18> q;
  QUDA_DEVICE Complex<Real<T>> operator()(int i, int j) const { return {q[6 * i + 2 * j], q[6 * i + 2 * j + 1]}; }
};

template <class T, int recon>
QUDA_OUTLINE WholeLink<T> held_link(const Gauge<T, recon> &U, const Place &n, int mu, Room<T, 18> &room)
{
  const Matrix<Real<T>> m = U.matrix(n, mu);
  Real<T> v[18];
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) {
    v[2 * k] = m.e[k].re;
    v[2 * k + 1] = m.e[k].im;
  }
  return {room.hold(v)};
}

/// U_mu at a place. room lives as long as the result.
template <class T, int recon>
QUDA_DEVICE WholeLink<T> whole_link(const Gauge<T, recon> &U, const Place &n, int mu, Room<T, 18> &room)
{
  if (recon == 18 && __builtin_expect(!n.shift, 1)) {
    if constexpr (recon == 18) return {U.storage.read(n, mu)};
  }
  return held_link(U, n, mu, room);
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

} // namespace quda::QUDA_TARGET_NAMESPACE
