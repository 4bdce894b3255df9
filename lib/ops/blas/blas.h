#pragma once
/// Linear algebra on whole native spinor fields of one shape, precision and lattice; any spins, colours and inner
/// extent. All right-hand sides are one vector.
///
/// Arithmetic   : in the fields' precision, coefficients rounded to it. a x + y is one fused multiply-add, a x + b y is
///                b y rounded, then fused; complex products are four of them (device/complex.h). So results are the
///                same bits on every target, for any tuning, threads and rank grid.
/// Sums         : <v, w> = sum conj(v) w over all sites, inner entries and ranks. The terms of one site and inner entry
///                are added in the fields' precision, all those entries exactly, and the total is rounded once: one bit
///                pattern, whatever the rank grid and threads. norm2(x) is redot(x, x) and Re cdot(x, x) to the bit.
/// Aliases      : fields that are written are those without const. A written field may be another argument where its
///                function says so; arguments that are only read may be one field.
/// Flops, bytes : in brackets, for a real number of one field, S being its size. Each field that is read and each that
///                is written counts once, so y += a x moves 3 S.
/// Collective   : sums over the fields' communicator; updates not, but while they are tuned.
/// Errors       : bad_argument naming the function and the argument: not native, fields that differ in shape,
///                precision, rank grid or lane split, aliases that are not allowed. unsupported:
///                half precision. not_built: a precision left out.

#include <complex>

#include "fields/color_spinor_field.h"

namespace quda::blas
{

using Complex = std::complex<double>;

struct DotNorm {
  Complex dot;
  double norm2;
};

struct NormChange {
  double norm2;
  double change;
};

// ---- updates ----

/// x = 0
void zero(ColorSpinorField &x);

/// z = x, bit by bit; z may be x. [0 flops, 2 S]
void copy(ColorSpinorField &z, const ColorSpinorField &x);

/// x = a x [1, 2 S]
void ax(double a, ColorSpinorField &x);

/// y = a x + y; x may be y. [2, 3 S]
void axpy(double a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = x + a y; x may be y. [2, 3 S]
void xpay(const ColorSpinorField &x, double a, ColorSpinorField &y);

/// y = a x + b y; x may be y. [3, 3 S]
void axpby(double a, const ColorSpinorField &x, double b, ColorSpinorField &y);

/// z = a x + y; z may be x or y. [2, 3 S]
void axpyz(double a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z);

/// z = a x + b y; z may be x or y. [3, 3 S]
void axpbyz(double a, const ColorSpinorField &x, double b, const ColorSpinorField &y, ColorSpinorField &z);

/// y = a x + y, a complex; x may be y. [4, 3 S]
void caxpy(Complex a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + b y, a and b complex; x may be y. [7, 3 S]
void caxpby(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y);

/// y = a x + y, then x = z + b x: solution and search direction of conjugate gradients. [4, 5 S]
void axpyZpbx(double a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z, double b);

/// y = a x + y, then x = b z + c x: the same with several shifts. [5, 5 S]
void axpyBzpcx(double a, ColorSpinorField &x, ColorSpinorField &y, double b, const ColorSpinorField &z, double c);

/// y = a x + y, then x = x - a z, a complex: solution and residual of minimal residuals. [8, 5 S]
void caxpyXmaz(Complex a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z);

/// z = x + a y + b z, a and b complex; x, y may be z: search direction of BiCGstab. [8, 4 S]
void cxpaypbz(const ColorSpinorField &x, Complex a, const ColorSpinorField &y, Complex b, ColorSpinorField &z);

/// z = a x + b y + z, then y = y - b w, a and b complex: solution and residual of BiCGstab. [12, 6 S]
void caxpbypzYmbw(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y, ColorSpinorField &z,
                  const ColorSpinorField &w);

// ---- sums ----

/// |x|^2 [2, S]
double norm2(const ColorSpinorField &x);

/// Re <x, y> [2, 2 S]
double redot(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> [4, 2 S]
Complex cdot(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> and |x|^2 [6, 2 S]
DotNorm cDotNormA(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> and |y|^2 [6, 2 S]
DotNorm cDotNormB(const ColorSpinorField &x, const ColorSpinorField &y);

// ---- updates, and sums over what they leave ----

/// y = a x + y; |y|^2. x may be y. [4, 3 S]
double axpyNorm2(double a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = x - y; |y|^2. x may be y. [3, 3 S]
double xmyNorm(const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y; Re <x, y>. [4, 3 S]
double axpyReDot(double a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y; |y|^2 and Re <y, y - y before>: conjugate gradients whose direction forgets a residual of another
/// precision (Polak and Ribiere). x may be y. [7, 3 S]
NormChange axpyCGNorm(double a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y, a complex; |y|^2. x may be y. [6, 3 S]
double caxpyNorm(Complex a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y, a complex; <z, y>: a step of orthogonalisation, and the coefficient of the next. x may be y. [8, 4 S]
Complex caxpyDot(Complex a, const ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z);

/// y = a x + y, then x = x - a z, a complex; |x|^2. [10, 5 S]
double caxpyXmazNorm(Complex a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z);

/// z = a x + b y + z, then y = y - b w, a and b complex; <u, y> and |y|^2. [18, 7 S]
DotNorm caxpbypzYmbwDotNorm(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y, ColorSpinorField &z,
                            const ColorSpinorField &w, const ColorSpinorField &u);

} // namespace quda::blas
