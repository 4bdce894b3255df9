#include "reference/blas/blas.h"

#include <cstddef>

namespace reference::blas
{

Vector combined(Number a, const Vector &x, Number b, const Vector &y)
{
  Vector z(x.size());
  for (std::size_t i = 0; i < x.size(); i++) z[i] = a * x[i] + b * y[i];
  return z;
}

Number dot(const Vector &x, const Vector &y)
{
  std::complex<long double> sum = 0;
  for (std::size_t i = 0; i < x.size(); i++)
    sum += std::conj(std::complex<long double>(x[i])) * std::complex<long double>(y[i]);
  return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
}

double norm2(const Vector &x) { return dot(x, x).real(); }

void ax(double a, Vector &x) { x = combined(a, x, 0, x); }

void axpy(Number a, const Vector &x, Vector &y) { y = combined(a, x, 1, y); }

void xpay(const Vector &x, Number a, Vector &y) { y = combined(1, x, a, y); }

void axpby(Number a, const Vector &x, Number b, Vector &y) { y = combined(a, x, b, y); }

void axpyZpbx(double a, Vector &x, Vector &y, const Vector &z, double b)
{
  axpy(a, x, y);
  x = combined(1, z, b, x);
}

void axpyBzpcx(double a, Vector &x, Vector &y, double b, const Vector &z, double c)
{
  axpy(a, x, y);
  x = combined(b, z, c, x);
}

void caxpyXmaz(Number a, Vector &x, Vector &y, const Vector &z)
{
  axpy(a, x, y);
  axpy(-a, z, x);
}

void cxpaypbz(const Vector &x, Number a, const Vector &y, Number b, Vector &z)
{
  z = combined(1, x, 1, combined(a, y, b, z));
}

void caxpbypzYmbw(Number a, const Vector &x, Number b, Vector &y, Vector &z, const Vector &w)
{
  z = combined(1, z, 1, combined(a, x, b, y));
  axpy(-b, w, y);
}

} // namespace reference::blas
