#pragma once
/// Complex numbers whose real and imaginary parts are registers of their own: a multiply-accumulate is four fused
/// multiply-adds, in the fixed order re*re, re*im, -im*im, im*re.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> struct Complex {
  using real = R;
  R re, im;
};

/// Conversion between complex numbers and twice as many reals, the form in which Storage reads and writes records.
template <int reals, class R> QUDA_DEVICE void pack(R (&v)[reals], const Complex<R> *z)
{
  QUDA_UNROLL
  for (int k = 0; k < reals / 2; k++) {
    v[2 * k] = z[k].re;
    v[2 * k + 1] = z[k].im;
  }
}
template <int n, class R, class Record> QUDA_DEVICE void unpack(Complex<R> (&z)[n], const Record &q)
{
  QUDA_UNROLL
  for (int k = 0; k < n; k++) z[k] = {q[2 * k], q[2 * k + 1]};
}

/// The conjugate of a number that is read from an adjoint: products absorb the signs into their multiply-adds.
template <class R> struct Conjugate {
  using real = R;
  Complex<R> z;
};
template <class R> QUDA_DEVICE Conjugate<R> conjugate(Complex<R> z) { return {z}; }

template <class R> QUDA_DEVICE Complex<R> operator+(Complex<R> a, Complex<R> b) { return {a.re + b.re, a.im + b.im}; }
template <class R> QUDA_DEVICE Complex<R> operator-(Complex<R> a, Complex<R> b) { return {a.re - b.re, a.im - b.im}; }
template <class R> QUDA_DEVICE Complex<R> conj(Complex<R> a) { return {a.re, -a.im}; }
/// s: a register, or the scale of a record.
template <class A, class R> QUDA_DEVICE Complex<R> scaled(A s, Complex<R> a) { return {s * a.re, s * a.im}; }

/// a * b
template <class R> QUDA_DEVICE Complex<R> multiply(Complex<R> a, Complex<R> b)
{
  return {fnma(a.im, b.im, a.re * b.re), fma(a.im, b.re, a.re * b.im)};
}

/// c + a * b
template <class R> QUDA_DEVICE Complex<R> multiply_add(Complex<R> a, Complex<R> b, Complex<R> c)
{
  return {fnma(a.im, b.im, fma(a.re, b.re, c.re)), fma(a.im, b.re, fma(a.re, b.im, c.im))};
}

/// c - a * b
template <class R> QUDA_DEVICE Complex<R> multiply_subtract(Complex<R> a, Complex<R> b, Complex<R> c)
{
  return {fma(a.im, b.im, fnma(a.re, b.re, c.re)), fnma(a.im, b.re, fnma(a.re, b.im, c.im))};
}

/// conj(a) * b
template <class R> QUDA_DEVICE Complex<R> conj_multiply(Complex<R> a, Complex<R> b)
{
  return {fma(a.im, b.im, a.re * b.re), fnma(a.im, b.re, a.re * b.im)};
}

/// c + conj(a) * b
template <class R> QUDA_DEVICE Complex<R> conj_multiply_add(Complex<R> a, Complex<R> b, Complex<R> c)
{
  return {fma(a.im, b.im, fma(a.re, b.re, c.re)), fnma(a.im, b.re, fma(a.re, b.im, c.im))};
}

template <class R> QUDA_DEVICE Complex<R> multiply(Conjugate<R> a, Complex<R> b) { return conj_multiply(a.z, b); }
template <class R> QUDA_DEVICE Complex<R> multiply(Complex<R> a, Conjugate<R> b) { return conj_multiply(b.z, a); }
template <class R> QUDA_DEVICE Complex<R> multiply_add(Conjugate<R> a, Complex<R> b, Complex<R> c)
{
  return conj_multiply_add(a.z, b, c);
}
template <class R> QUDA_DEVICE Complex<R> multiply_add(Complex<R> a, Conjugate<R> b, Complex<R> c)
{
  return conj_multiply_add(b.z, a, c);
}

/// conj(a b - c d): an element of the third row of an SU(3) matrix.
template <class R> QUDA_DEVICE Complex<R> conj_cross(Complex<R> a, Complex<R> b, Complex<R> c, Complex<R> d)
{
  const R re = fma(c.im, d.im, fnma(c.re, d.re, fnma(a.im, b.im, a.re * b.re)));
  const R im = fnma(a.im, b.re, fnma(a.re, b.im, fma(c.im, d.re, c.re * d.im)));
  return {re, im};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
