#pragma once
/// The update family: a formula for one complex number of each operand (blas.h). Real coefficients a, b, c first,
/// complex ones in the formulas whose names begin with C. Names that differ only by a special value are one formula:
/// axpy is Axpby with b = 1, and 1 y is y to the bit.
///   reads, writes  operands that are loaded and stored
///   in_place       operands that may be the field that is written

#include "kernels/blas/blas.h"

namespace quda::QUDA_TARGET_NAMESPACE::blas
{

template <class Arg> QUDA_DEVICE Complex<typename Arg::real> complex_coefficient(const Arg &arg, int i, unsigned group)
{
  using real = typename Arg::real;
  return {real(arg.re[i][group]), real(arg.im[i][group])};
}

template <class R> QUDA_DEVICE Complex<R> negative(Complex<R> a) { return {-a.re, -a.im}; }

/// c + a b, a real
template <class R> QUDA_DEVICE Complex<R> scaled_add(R a, Complex<R> b, Complex<R> c)
{
  return {fma(a, b.re, c.re), fma(a, b.im, c.im)};
}

template <class R> struct Unchanged : Operands {
  static constexpr unsigned reads = 0, writes = 0, in_place = 0;
  template <class Arg> QUDA_DEVICE Unchanged(const Arg &, unsigned) {}
  QUDA_DEVICE void operator()(Complex<R> *) const {}
};

/// x = 0
template <class R> struct Zero : Operands {
  static constexpr unsigned reads = 0, writes = in(x), in_place = 0;
  static constexpr bool moves = true;
  template <class Arg> QUDA_DEVICE Zero(const Arg &, unsigned) {}
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[x] = {R(0), R(0)}; }
};

/// Exchanges x and y
template <class R> struct Swap : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(x, y), in_place = 0;
  static constexpr bool moves = true;
  template <class Arg> QUDA_DEVICE Swap(const Arg &, unsigned) {}
  QUDA_DEVICE void operator()(Complex<R> *s) const
  {
    const Complex<R> before = s[x];
    s[x] = s[y];
    s[y] = before;
  }
};

/// z = x
template <class R> struct Copy : Operands {
  static constexpr unsigned reads = in(x), writes = in(z), in_place = in(x);
  static constexpr bool moves = true;
  template <class Arg> QUDA_DEVICE Copy(const Arg &, unsigned) {}
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = s[x]; }
};

/// z = a x
template <class R> struct Ax : Operands {
  static constexpr unsigned reads = in(x), writes = in(z), in_place = in(x);
  R a;
  template <class Arg> QUDA_DEVICE Ax(const Arg &arg, unsigned group)
      : a(arg.re[0][group])
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = scaled(a, s[x]); }
};

/// z = a x + b y
template <class R> struct Axpby : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  R a, b;
  template <class Arg> QUDA_DEVICE Axpby(const Arg &arg, unsigned group)
      : a(arg.re[0][group])
      , b(arg.re[1][group])
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = scaled_add(a, s[x], scaled(b, s[y])); }
};

/// z = a x + y
template <class R> struct Caxpy : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  Complex<R> a;
  template <class Arg> QUDA_DEVICE Caxpy(const Arg &arg, unsigned group)
      : a(complex_coefficient(arg, 0, group))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = multiply_add(a, s[x], s[y]); }
};

/// z = a x + b y
template <class R> struct Caxpby : Operands {
  static constexpr unsigned reads = in(x, y), writes = in(z), in_place = in(x, y);
  Complex<R> a, b;
  template <class Arg> QUDA_DEVICE Caxpby(const Arg &arg, unsigned group)
      : a(complex_coefficient(arg, 0, group))
      , b(complex_coefficient(arg, 1, group))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[z] = multiply_add(a, s[x], multiply(b, s[y])); }
};

/// y = a x + y, then x = b z + c x
template <class R> struct AxpyBzpcx : Operands {
  static constexpr unsigned reads = in(x, y, z), writes = in(x, y), in_place = 0;
  R a, b, c;
  template <class Arg> QUDA_DEVICE AxpyBzpcx(const Arg &arg, unsigned group)
      : a(arg.re[0][group])
      , b(arg.re[1][group])
      , c(arg.re[2][group])
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
  template <class Arg> QUDA_DEVICE CaxpyXmaz(const Arg &arg, unsigned group)
      : a(complex_coefficient(arg, 0, group))
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
  template <class Arg> QUDA_DEVICE Cxpaypbz(const Arg &arg, unsigned group)
      : a(complex_coefficient(arg, 0, group))
      , b(complex_coefficient(arg, 1, group))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const { s[w] = multiply_add(b, s[z], multiply_add(a, s[y], s[x])); }
};

/// z = a x + b y + z, then y = y - b w
template <class R> struct CaxpbypzYmbw : Operands {
  static constexpr unsigned reads = in(x, y, z, w), writes = in(y, z), in_place = 0;
  Complex<R> a, b;
  template <class Arg> QUDA_DEVICE CaxpbypzYmbw(const Arg &arg, unsigned group)
      : a(complex_coefficient(arg, 0, group))
      , b(complex_coefficient(arg, 1, group))
  {
  }
  QUDA_DEVICE void operator()(Complex<R> *s) const
  {
    s[z] = multiply_add(b, s[y], multiply_add(a, s[x], s[z]));
    s[y] = multiply_add(negative(b), s[w], s[y]);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE::blas
