/// Linear algebra of vectors of complex numbers, double precision, each formula as it is written.
///   <v, w> = sum conj(v) w
#pragma once

#include <complex>
#include <vector>

namespace reference::blas
{

using Number = std::complex<double>;
using Vector = std::vector<Number>;

Vector combined(Number a, const Vector &x, Number b, const Vector &y);

Number dot(const Vector &x, const Vector &y);

double norm2(const Vector &x);

void ax(double a, Vector &x);
void axpy(Number a, const Vector &x, Vector &y);
void xpay(const Vector &x, Number a, Vector &y);
void axpby(Number a, const Vector &x, Number b, Vector &y);

void axpyZpbx(double a, Vector &x, Vector &y, const Vector &z, double b);

void axpyBzpcx(double a, Vector &x, Vector &y, double b, const Vector &z, double c);

void caxpyXmaz(Number a, Vector &x, Vector &y, const Vector &z);

void cxpaypbz(const Vector &x, Number a, const Vector &y, Number b, Vector &z);

void caxpbypzYmbw(Number a, const Vector &x, Number b, Vector &y, Vector &z, const Vector &w);

} // namespace reference::blas
