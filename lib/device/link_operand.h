#pragma once
/// A link as a factor of matrix products, in the lanes of the site that asks for it.
///
///   const LinkOperand<T, recon> u(arg.U, place, mu);
///   const auto a = u.read();
///   ... a(i, j) ...
///
/// On the CPU the factor stays in memory and its elements are loaded where they are used: a matrix is more than half of
/// all registers. It is the field's own memory where the link can be used as stored, else a copy with its lanes moved
/// and its third row rebuilt. On a GPU elements of a link stored whole are loaded likewise, others fill registers.

#include "device/anti_hermitian.h"
#include "device/gauge.h"
#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A matrix whose elements are loaded where they are used.
template <class T, class Record> struct StoredMatrix {
  Record q;

  QUDA_DEVICE Complex<Real<T>> operator()(int i, int j) const { return {q[6 * i + 2 * j], q[6 * i + 2 * j + 1]}; }
};

template <class T, int recon> struct StagedLink {
  Matrix<Real<T>> copy;
  const T *p;

  QUDA_DEVICE StagedLink(const Gauge<T, recon> &U, const Place &n, int mu)
      : p(U.storage.at(n, mu))
  {
    if (recon != 18 || __builtin_expect(n.shift != nullptr, 0)) {
      copy = U.matrix(n, mu);
      p = reinterpret_cast<const T *>(&copy);
    }
  }
  StagedLink(const StagedLink &) = delete;

  QUDA_DEVICE StoredMatrix<T, Record<T, 18>> read() const { return {{p}}; }
};

template <class T, int recon> struct DeferredLink {
  const Gauge<T, recon> &U;
  Place place;
  int mu;

  QUDA_DEVICE DeferredLink(const Gauge<T, recon> &U, const Place &n, int mu)
      : U(U)
      , place(n)
      , mu(mu)
  {
  }

  QUDA_DEVICE auto read() const
  {
    if constexpr (recon == 18) {
      auto q = U.storage.deferred(place, mu);
      return StoredMatrix<T, decltype(q)> {q};
    } else {
      return U.matrix(place, mu);
    }
  }
};

template <class T, int recon> using LinkOperand = choose<block_is_thread, StagedLink<T, recon>, DeferredLink<T, recon>>;

// Products of factors A, B that are read element by element, column by column of A: a whole product and one column of A
// are held, no more.

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

} // namespace quda::QUDA_TARGET_NAMESPACE
