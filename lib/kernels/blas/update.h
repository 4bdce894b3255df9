#pragma once
/// The update family: a formula for one complex number of each operand (blas.h). Real coefficients a, b, c first,
/// complex ones in the formulas whose names begin with C. Those that one name calls by another are one formula: axpy is
/// Axpby with b = 1, and 1 y is y to the bit.
///   reads, writes  operands that are loaded and stored
///   in_place       operands that may be the field that is written

#include "kernels/blas/blas.h"

namespace quda::QUDA_TARGET_NAMESPACE::blas
{

template <class Arg> QUDA_DEVICE Complex<typename Arg::real> complex_coefficient(const Arg &arg, int i)
{
  using real = typename Arg::real;
  return {real(arg.re[i]), real(arg.im[i])};
}

template <class R> QUDA_DEVICE Complex<R> negative(Complex<R> a) { return {-a.re, -a.im}; }

/// c + a b, a real
template <class R> QUDA_DEVICE Complex<R> scaled_add(R a, Complex<R> b, Complex<R> c)
{
  return {fma(a, b.re, c.re), fma(a, b.im, c.im)};
}

template <class R> struct Unchanged : Operands {
  static constexpr unsigned reads = 0, writes = 0, in_place = 0;
  template <class Arg> QUDA_DEVICE explicit Unchanged(const Arg &) {}
  QUDA_DEVICE void operator()(Complex<R> *) const {}
};

/// z = x
template <class R> struct Copy : Operands {
  static constexpr unsigned reads = in(x), writes = in(z), in_place = in(x);
  template <class Arg> QUDA_DEVICE explicit Copy(const Arg &) {}
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = s[x]; }
};

/// z = a x
template <class R> struct Ax : Operands {
  static constexpr unsigned reads = in(x), writes = in(z), in_place = in(x);
  R a;
  template <class Arg> QUDA_DEVICE explicit Ax(const Arg &arg)
      : a(arg.re[0])
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = scaled(a, s[x]); }
};

/// z = a x + b y
template <class R> struct Axpby : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  R a, b;
  template <class Arg> QUDA_DEVICE explicit Axpby(const Arg &arg)
      : a(arg.re[0])
      , b(arg.re[1])
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = scaled_add(a, s[x], scaled(b, s[y])); }
};

/// z = a x + y
template <class R> struct Caxpy : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  Complex<R> a;
  template <class Arg> QUDA_DEVICE explicit Caxpy(const Arg &arg)
      : a(complex_coefficient(arg, 0))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = multiply_add(a, s[x], s[y]); }
};

/// z = a x + b y
template <class R> struct Caxpby : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  Complex<R> a, b;
  template <class Arg> QUDA_DEVICE explicit Caxpby(const Arg &arg)
      : a(complex_coefficient(arg, 0))
      , b(complex_coefficient(arg, 1))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = multiply_add(a, s[x], multiply(b, s[y])); }
};

/// y = a x + y, then x = b z + c x
template <class R> struct AxpyBzpcx : Operands {
  static constexpr unsigned reads = in(x, y, z), writes = in(x, y), in_place = 0;
  R a, b, c;
  template <class Arg> QUDA_DEVICE explicit AxpyBzpcx(const Arg &arg)
      : a(arg.re[0])
      , b(arg.re[1])
      , c(arg.re[2])
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const
  {
    s[y] = scaled_add(a, s[x], s[y]);
    s[x] = scaled_add(c, s[x], scaled(b, s[z]));
  }
};

/// y = a x + y, then x = x - a z
template <class R> struct CaxpyXmaz : Operands {
  static constexpr unsigned reads = in(x, y, z), writes = in(x, y), in_place = 0;
  Complex<R> a;
  template <class Arg> QUDA_DEVICE explicit CaxpyXmaz(const Arg &arg)
      : a(complex_coefficient(arg, 0))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const
  {
    s[y] = multiply_add(a, s[x], s[y]);
    s[x] = multiply_add(negative(a), s[z], s[x]);
  }
};

/// w = x + a y + b z
template <class R> struct Cxpaypbz : Operands {
  static constexpr unsigned reads = in(x, y, z), writes = in(w), in_place = in(x, y, z);
  Complex<R> a, b;
  template <class Arg> QUDA_DEVICE explicit Cxpaypbz(const Arg &arg)
      : a(complex_coefficient(arg, 0))
      , b(complex_coefficient(arg, 1))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[w] = multiply_add(b, s[z], multiply_add(a, s[y], s[x])); }
};

/// z = a x + b y + z, then y = y - b w
template <class R> struct CaxpbypzYmbw : Operands {
  static constexpr unsigned reads = in(x, y, z, w), writes = in(y, z), in_place = 0;
  Complex<R> a, b;
  template <class Arg> QUDA_DEVICE explicit CaxpbypzYmbw(const Arg &arg)
      : a(complex_coefficient(arg, 0))
      , b(complex_coefficient(arg, 1))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const
  {
    s[z] = multiply_add(b, s[y], multiply_add(a, s[x], s[z]));
    s[y] = multiply_add(negative(b), s[w], s[y]);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE::blas
