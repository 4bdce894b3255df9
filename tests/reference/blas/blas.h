/// Linear algebra of vectors of complex numbers, double precision, each formula as it is written.
///   <v, w> = sum conj(v) w
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace reference::blas
{

using Number = std::complex<double>;
using Vector = std::vector<Number>;

inline Vector combined(Number a, const Vector &x, Number b, const Vector &y)
{
  Vector z(x.size());
  for (std::size_t i = 0; i < x.size(); i++) z[i] = a * x[i] + b * y[i];
  return z;
}

inline Number dot(const Vector &x, const Vector &y)
{
  std::complex<long double> sum = 0;
  for (std::size_t i = 0; i < x.size(); i++)
    sum += std::conj(std::complex<long double>(x[i])) * std::complex<long double>(y[i]);
  return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
}

inline double norm2(const Vector &x) { return dot(x, x).real(); }

inline void ax(double a, Vector &x) { x = combined(a, x, 0, x); }
inline void axpy(Number a, const Vector &x, Vector &y) { y = combined(a, x, 1, y); }
inline void xpay(const Vector &x, Number a, Vector &y) { y = combined(1, x, a, y); }
inline void axpby(Number a, const Vector &x, Number b, Vector &y) { y = combined(a, x, b, y); }

inline void axpyZpbx(double a, Vector &x, Vector &y, const Vector &z, double b)
{
  axpy(a, x, y);
  x = combined(1, z, b, x);
}

inline void axpyBzpcx(double a, Vector &x, Vector &y, double b, const Vector &z, double c)
{
  axpy(a, x, y);
  x = combined(b, z, c, x);
}

inline void caxpyXmaz(Number a, Vector &x, Vector &y, const Vector &z)
{
  axpy(a, x, y);
  axpy(-a, z, x);
}

inline void cxpaypbz(const Vector &x, Number a, const Vector &y, Number b, Vector &z)
{
  z = combined(1, x, 1, combined(a, y, b, z));
}

inline void caxpbypzYmbw(Number a, const Vector &x, Number b, Vector &y, Vector &z, const Vector &w)
{
  z = combined(1, z, 1, combined(a, x, b, y));
  axpy(-b, w, y);
}

} // namespace reference::blas
