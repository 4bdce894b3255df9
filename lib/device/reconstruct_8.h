#pragma once
/// SU(3) matrices by eight numbers (Clark et al., arXiv:0911.3191), rows a, b, c, as in QUDA's fields:
///   arg(b_0) / pi, arg(-c_0) / pi, b_1, b_2, a_0
/// The rest follows from rows and columns being orthogonal and of length 1 / u0, u0 the anisotropy or the boundary's
/// sign. Where b_1 = b_2 = 0 the eight numbers do not determine the matrix; near there they do so badly.

#include "device/functions.h"
#include "device/matrix.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> QUDA_DEVICE void pack_8(R (&s)[8], const Matrix<R> &u)
{
  s[0] = half_turns(u(1, 0).im, u(1, 0).re);
  s[1] = half_turns(-u(2, 0).im, -u(2, 0).re);
  const Complex<R> kept[3] = {u(1, 1), u(1, 2), u(0, 0)};
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    s[2 + 2 * k] = kept[k].re;
    s[3 + 2 * k] = kept[k].im;
  }
}

/// s: eight numbers with operator[].
template <class R, class Numbers> QUDA_DEVICE Matrix<R> unpack_8(const Numbers &s, R u0)
{
  const R zero = R(0.0);
  const R inverse = R(1.0) / u0, length2 = inverse * inverse;
  const auto norm2 = [](Complex<R> z) QUDA_LAMBDA { return fma(z.im, z.im, z.re * z.re); };
  const auto with_angle = [](R modulus2, R half_turns) QUDA_LAMBDA {
    const R zero = R(0.0);
    const R modulus = sqrt(select(modulus2 > zero, modulus2, zero));
    const SinCos<R> angle = sincos_2pi(R(0.5) * half_turns);
    return Complex<R> {modulus * angle.cos, modulus * angle.sin};
  };
  const Complex<R> b1 = {s[2], s[3]}, b2 = {s[4], s[5]}, a0 = {s[6], s[7]};
  const R rest = norm2(b1) + norm2(b2);
  const Complex<R> b0 = with_angle(length2 - rest, s[0]);
  const Complex<R> w = with_angle((length2 - norm2(b0)) - norm2(a0), s[1]); // -c_0
  const R k = inverse / rest, minus_k = zero - k;
  const Complex<R> p = scaled(u0, conj_multiply(b0, a0)), q = scaled(u0, conj_multiply(b0, w));
  const Complex<R> wc = conj(w), ac = conj(a0), b1c = conj(b1), b2c = conj(b2);
  Matrix<R> m;
  m(0, 0) = a0;
  m(0, 1) = scaled(minus_k, multiply_add(p, b1, multiply(wc, b2c)));
  m(0, 2) = scaled(k, multiply(wc, b1c) - multiply(p, b2));
  m(1, 0) = b0;
  m(1, 1) = b1;
  m(1, 2) = b2;
  m(2, 0) = {-w.re, -w.im};
  m(2, 1) = scaled(minus_k, multiply(ac, b2c) - multiply(q, b1));
  m(2, 2) = scaled(k, multiply_add(q, b2, multiply(ac, b1c)));
  return m;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
