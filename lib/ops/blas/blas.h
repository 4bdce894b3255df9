#pragma once
/// Linear algebra on native spinor fields of one shape, precision and lattice; any spins, colours and inner extent.
/// Updates take one coefficient for all right-hand sides, or one for each (coefficients.h). The sums of this header are
/// over whole fields, all right-hand sides being one vector; sums for each right-hand side, and functions that
/// mix right-hand sides or take lists of fields, are in ops/blas/block.h. A range of right-hand sides is a field
/// (ColorSpinorField::columns) and an operand like any other.
///
/// Arithmetic   : in the fields' precision, coefficients rounded to it, half in single and rounded to its integers once
///                in the end. a x + y is one fused multiply-add, a x + b y is
///                b y rounded, then fused; complex products are four of them (device/complex.h). So results are the
///                same bits on every target, for any tuning, threads and rank grid, and for any order of right-hand
///                sides.
/// Sums         : <v, w> = sum conj(v) w over all sites, inner entries and ranks. The terms of one site and inner entry
///                are added in the fields' precision, all those entries exactly, and the total is rounded once: one bit
///                pattern, whatever the rank grid and threads. Sums of an update are over the stored result. norm2(x)
///                is redot(x, x) and Re cdot(x, x) to the bit.
/// Aliases      : written fields are those without const. A written field may be another argument if its
///                function says so; arguments that are only read may be one field.
/// Flops, bytes : in brackets, for a real number of one field, S being its size. Each read and each write of a field
///                counts once, so y += a x moves 3 S.
/// Collective   : sums over the fields' communicator; updates only while they are tuned.
/// Errors       : bad_argument naming the function and the argument: not native, fields that differ in shape,
///                precision, rank grid or lane split, a list of coefficients of the wrong length, aliases
///                that are not allowed. unsupported: quarter precision. not_built: a precision left out.

#include "fields/color_spinor_field.h"
#include "ops/blas/coefficients.h"

namespace quda::blas
{

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
void ax(const Coefficients &a, ColorSpinorField &x);

/// y = a x + y; x may be y. [2, 3 S]
void axpy(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = x + a y; x may be y. [2, 3 S]
void xpay(const ColorSpinorField &x, const Coefficients &a, ColorSpinorField &y);

/// y = a x + b y; x may be y. [3, 3 S]
void axpby(const Coefficients &a, const ColorSpinorField &x, const Coefficients &b, ColorSpinorField &y);

/// z = a x + y; z may be x or y. [2, 3 S]
void axpyz(const Coefficients &a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z);

/// z = a x + b y; z may be x or y. [3, 3 S]
void axpbyz(const Coefficients &a, const ColorSpinorField &x, const Coefficients &b, const ColorSpinorField &y,
            ColorSpinorField &z);

/// y = a x + y, a complex; x may be y. [4, 3 S]
void caxpy(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + b y, a and b complex; x may be y. [7, 3 S]
void caxpby(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b, ColorSpinorField &y);

/// y = a x + y, then x = z + b x: solution and search direction of conjugate gradients. [4, 5 S]
void axpyZpbx(const Coefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z,
              const Coefficients &b);

/// y = a x + y, then x = b z + c x: the same with several shifts. [5, 5 S]
void axpyBzpcx(const Coefficients &a, ColorSpinorField &x, ColorSpinorField &y, const Coefficients &b,
               const ColorSpinorField &z, const Coefficients &c);

/// y = a x + y, then x = x - a z, a complex: solution and residual of minimal residuals. [8, 5 S]
void caxpyXmaz(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z);

/// z = x + a y + b z, a and b complex; x, y may be z: search direction of BiCGstab. [8, 4 S]
void cxpaypbz(const ColorSpinorField &x, const ComplexCoefficients &a, const ColorSpinorField &y,
              const ComplexCoefficients &b, ColorSpinorField &z);

/// z = a x + b y + z, then y = y - b w, a and b complex: solution and residual of BiCGstab. [12, 6 S]
void caxpbypzYmbw(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b,
                  ColorSpinorField &y, ColorSpinorField &z, const ColorSpinorField &w);

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

// ---- updates, and sums over their results ----

/// y = a x + y; |y|^2. x may be y. [4, 3 S]
double axpyNorm2(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = x - y; |y|^2. x may be y. [3, 3 S]
double xmyNorm(const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y; Re <x, y>. [4, 3 S]
double axpyReDot(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y; |y|^2 and Re <y, y - y before>: conjugate gradients whose direction discards a residual of another
/// precision (Polak and Ribiere). x may be y. [7, 3 S]
NormChange axpyCGNorm(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y, a complex; |y|^2. x may be y. [6, 3 S]
double caxpyNorm(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

/// y = a x + y, a complex; <z, y>: a step of orthogonalisation, and the coefficient of the next. x may be y. [8, 4 S]
Complex caxpyDot(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y,
                 const ColorSpinorField &z);

/// y = a x + y, then x = x - a z, a complex; |x|^2. [10, 5 S]
double caxpyXmazNorm(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z);

/// z = a x + b y + z, then y = y - b w, a and b complex; <u, y> and |y|^2. [18, 7 S]
DotNorm caxpbypzYmbwDotNorm(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b,
                            ColorSpinorField &y, ColorSpinorField &z, const ColorSpinorField &w,
                            const ColorSpinorField &u);

} // namespace quda::blas
