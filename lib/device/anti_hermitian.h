#pragma once
/// Traceless anti-Hermitian 3 x 3 matrices, the Lie algebra of SU(3): momenta, forces, generators of smearing.
///   A_ij = -conj(A_ji); stored are A_01, A_02, A_12 and the imaginary parts of A_00, A_11, A_22.

#include "core/view.h"
#include "device/matrix.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> struct AntiHermitian {
  Complex<R> off[3]; // 01, 02, 12
  R diag[3];         // imaginary

  QUDA_DEVICE Matrix<R> matrix() const
  {
    const R zero = R(0.0);
    const auto minus_conj = [](Complex<R> a) QUDA_LAMBDA { return Complex<R> {-a.re, a.im}; };
    Matrix<R> m;
    for (int i = 0; i < 3; i++) m(i, i) = {zero, diag[i]};
    m(0, 1) = off[0];
    m(0, 2) = off[1];
    m(1, 2) = off[2];
    m(1, 0) = minus_conj(off[0]);
    m(2, 0) = minus_conj(off[1]);
    m(2, 1) = minus_conj(off[2]);
    return m;
  }

  QUDA_DEVICE friend AntiHermitian scaled(R s, const AntiHermitian &a)
  {
    return {{scaled(s, a.off[0]), scaled(s, a.off[1]), scaled(s, a.off[2])},
            {s * a.diag[0], s * a.diag[1], s * a.diag[2]}};
  }

  /// c + s a
  QUDA_DEVICE friend AntiHermitian add_scaled(R s, const AntiHermitian &a, const AntiHermitian &c)
  {
    AntiHermitian b;
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      b.off[k] = {fma(s, a.off[k].re, c.off[k].re), fma(s, a.off[k].im, c.off[k].im)};
      b.diag[k] = fma(s, a.diag[k], c.diag[k]);
    }
    return b;
  }

  /// sum_ij |A_ij|^2 / 2 = -tr(A A) / 2
  QUDA_DEVICE R half_norm2() const
  {
    R d = diag[0] * diag[0];
    d = fma(diag[1], diag[1], d);
    d = fma(diag[2], diag[2], d);
    R sum = R(0.5) * d;
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) sum = fma(off[k].im, off[k].im, fma(off[k].re, off[k].re, sum));
    return sum;
  }
};

/// (M - M^dag) / 2 - tr[(M - M^dag) / 2] / 3
template <class R> QUDA_DEVICE AntiHermitian<R> traceless_anti_hermitian(const Matrix<R> &m)
{
  const R half = R(0.5), third = R(1.0 / 3.0);
  const auto off = [&](int i, int j) QUDA_LAMBDA {
    return Complex<R> {half * (m(i, j).re - m(j, i).re), half * (m(i, j).im + m(j, i).im)};
  };
  const R mean = third * (m(0, 0).im + m(1, 1).im + m(2, 2).im);
  return {{off(0, 1), off(0, 2), off(1, 2)}, {m(0, 0).im - mean, m(1, 1).im - mean, m(2, 2).im - mean}};
}

/// f (S - tr S / 3), f real
template <class R> QUDA_DEVICE AntiHermitian<R> scaled_traceless(R f, const AntiHermitian<R> &s)
{
  const R mean = R(1.0 / 3.0) * (s.diag[0] + s.diag[1] + s.diag[2]);
  return {{scaled(f, s.off[0]), scaled(f, s.off[1]), scaled(f, s.off[2])},
          {f * (s.diag[0] - mean), f * (s.diag[1] - mean), f * (s.diag[2] - mean)}};
}

/// Access to a native field of reconstruct 10: 01, 02, 12 (complex), Im 00, Im 11, Im 22, 0.
template <class S> struct Momentum {
  using real = Real<S>;
  Storage<S, 10> storage;

  QUDA_DEVICE Momentum() {}
  QUDA_DEVICE explicit Momentum(const GaugeView &g)
      : storage(g.field)
  {
  }

  QUDA_DEVICE AntiHermitian<real> read(const Place &n, int mu) const
  {
    const auto q = storage.read(n, mu);
    return {{{q[0], q[1]}, {q[2], q[3]}, {q[4], q[5]}}, {q[6], q[7], q[8]}};
  }

  QUDA_DEVICE void write(const Place &n, int mu, const AntiHermitian<real> &a, bool streaming = false) const
  {
    const real v[10] = {a.off[0].re, a.off[0].im, a.off[1].re, a.off[1].im, a.off[2].re,
                        a.off[2].im, a.diag[0],   a.diag[1],   a.diag[2],   real(0.0)};
    storage.write(n, mu, v, streaming);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
