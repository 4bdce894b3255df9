#pragma once
/// Links that are a positive number, one for the field, times unitary matrices of any determinant, as the long links
/// of staggered fermions are. Stored is the link over that number (GaugeField::unit), rows a, b, c, where
/// c = f conj(a x b), |f| = 1:
///   reconstruct 13: a, b and the phase of f
///   reconstruct 9 : the eight numbers of reconstruct_8.h for the rows a, b, conj(f) c, an SU(3) matrix, and the
///   phase
/// Phase: v in [-1, 1] goes once around the circle, as half turns do, but by tangents of half angles, which need no
/// series: tan(phi / 2) = 2 |v| for |v| <= 1/2, phi being the angle of f to the real axis, to its negative half by
/// 2 (1 - |v|) beyond; the sign is that of Im f.

#include "device/gauge.h"
#include "device/instances.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> QUDA_DEVICE R pack_phase(Complex<R> f)
{
  const R zero = R(0.0), one = R(1.0);
  const auto left = f.re < zero, below = f.im < zero;
  const R x = select(left, -f.re, f.re), y = select(below, -f.im, f.im);
  const R half_tangent = R(0.5) * y / (one + x);
  const R v = select(left, one - half_tangent, half_tangent);
  return select(below, -v, v);
}

template <class R> QUDA_DEVICE Complex<R> unpack_phase(R v)
{
  const R zero = R(0.0), one = R(1.0);
  const auto below = v < zero;
  const R a = select(below, -v, v);
  const auto left = a > R(0.5);
  const R m = select(left, one - a, a);
  const R t = m + m, t2 = t * t, scale = one / (one + t2);
  const R re = (one - t2) * scale, im = (t + t) * scale;
  return {select(left, -re, re), select(below, -im, im)};
}

/// f for a link of rows a, b, c.
template <class R> QUDA_DEVICE Complex<R> third_row_factor(const Matrix<R> &u)
{
  Complex<R> f = multiply(conj(conj_cross(u(0, 1), u(1, 2), u(0, 2), u(1, 1))), u(2, 0));
  QUDA_UNROLL
  for (int j = 1; j < 3; j++) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    f = multiply_add(conj(conj_cross(u(0, k), u(1, l), u(0, l), u(1, k))), u(2, j), f);
  }
  const R length = sqrt(fma(f.im, f.im, f.re * f.re));
  return {f.re / length, f.im / length};
}

/// The analogue of Link, in units of link_unit<S>.
template <class S> struct Link<S, 13> {
  using real = Real<S>;
  Record<S, 13, false> q;

  struct ThirdRow {
    Complex<real> e[3];
  };

  QUDA_DEVICE Complex<real> operator()(int i, int j) const
  {
    if (i < 2) return number(q, i, j);
    const auto r = q.again();
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    return conj_cross(number(r, 0, k), number(r, 1, l), number(r, 0, l), number(r, 1, k));
  }
  QUDA_DEVICE ThirdRow third_row() const
  {
    ThirdRow row;
    const Complex<real> f = factor();
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) row.e[j] = multiply(f, (*this)(2, j));
    return row;
  }
  QUDA_DEVICE Complex<real> element(int i, int j, const ThirdRow &row) const
  {
    return i < 2 ? number(q, i, j) : row.e[j];
  }
  /// Multiplies the numbers that meet the third row in U^dag h by its conjugate factor.
  template <int n> QUDA_DEVICE void scale(Complex<real> (&a)[n]) const
  {
    const Complex<real> f = factor();
    QUDA_UNROLL
    for (int k = 0; k < n; k++) a[k] = conj_multiply(f, a[k]);
  }

private:
  template <class Stored> QUDA_DEVICE static Complex<real> number(const Stored &r, int i, int j)
  {
    return {r.raw(6 * i + 2 * j), r.raw(6 * i + 2 * j + 1)};
  }
  /// The product of two rows of integers is in units of link_unit<S> squared.
  QUDA_DEVICE Complex<real> factor() const
  {
    const Complex<real> f = unpack_phase(q.again()[12]);
    return is_fixed<S> ? scaled(real(number_of<S>(link_unit<S>)), f) : f;
  }
};

/// The whole matrix, in units of 1 for fixed point too.
template <class S> struct Link<S, 9> {
  using real = Real<S>;
  Matrix<real> m;

  struct ThirdRow {
  };

  template <class Stored> QUDA_DEVICE explicit Link(const Stored &q)
      : m(unpack_8(q, real(1.0)))
  {
    const Complex<real> f = unpack_phase(q[8]);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) m(2, j) = multiply(f, m(2, j));
  }
  QUDA_DEVICE Complex<real> operator()(int i, int j) const { return m(i, j); }
  QUDA_DEVICE ThirdRow third_row() const { return {}; }
  QUDA_DEVICE Complex<real> element(int i, int j, const ThirdRow &) const { return m(i, j); }
  template <int n> QUDA_DEVICE void scale(Complex<real> (&)[n]) const {}
};

/// Links over their common factor.
template <class S, int reconstruct> struct LongGauge {
  static constexpr int recon = reconstruct;
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, recon, false> storage;

  QUDA_DEVICE LongGauge() {}
  QUDA_DEVICE explicit LongGauge(const GaugeView &g)
      : storage(g.field)
  {
  }

  QUDA_DEVICE Link<S, recon> link(const Place &n, int mu) const { return Link<S, recon> {storage.read(n, mu)}; }

  /// In the lanes of its own place; double and single.
  QUDA_DEVICE Matrix<real> matrix(const Place &n, int mu) const
  {
    const Link<S, recon> u = link(n, mu);
    const auto row = u.third_row();
    Matrix<real> m;
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) m.e[k] = u.element(k / 3, k % 3, row);
    return m;
  }

  QUDA_DEVICE void write(const Place &n, int mu, Matrix<real> m) const
  {
    const Complex<real> f = third_row_factor(m);
    real v[recon];
    if constexpr (recon == 9) {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) m(2, j) = conj_multiply(f, m(2, j));
      real eight[8];
      pack_8(eight, m);
      QUDA_UNROLL
      for (int k = 0; k < 8; k++) v[k] = eight[k];
    } else {
      pack(v, m.e);
    }
    v[recon - 1] = pack_phase(f);
    storage.write(n, mu, v);
  }
};
template <class S> struct Gauge<S, 13> : LongGauge<S, 13> {
  using LongGauge<S, 13>::LongGauge;
};
template <class S> struct Gauge<S, 9> : LongGauge<S, 9> {
  using LongGauge<S, 9>::LongGauge;
};

/// Reconstruct families of long links: 13 and 9 go with 12.
template <int... reals> struct LongReconstructs {
  static constexpr bool built(int r) { return (QUDA_RECONSTRUCT & (r == 18 ? 4 : 2)) != 0; }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
