#pragma once
/// Call of a formula of the linear algebra (blas.h).

#include "core/exact_limbs.h"
#include "core/kernel_table.h"
#include "core/stream_view.h"

namespace quda
{

constexpr int blas_operands = 5;     // x, y, z, w, u
constexpr int blas_coefficients = 3; // a, b, c
constexpr int blas_groups = 32;      // right-hand sides of one launch with coefficients or sums of their own

struct BlasCoefficients {
  double re[blas_coefficients][blas_groups]; // of each group
  double im[blas_coefficients][blas_groups]; // ignored by formulas with real coefficients
};

struct BlasCall {
  StreamView shape;
  StreamField field[blas_operands];     // operands that the formula does not name may be null
  const BlasCoefficients *coefficients; // host memory
  ExactLimbs *sums;                     // for each group the formula's own sums: added to
};

/// A formula as described by its kernel. Masks have bit k for operand k.
struct BlasFormula {
  KernelTable<BlasCall> kernels;
  unsigned reads;
  unsigned writes;
  unsigned in_place; // operands that may be the field that is written
  int sums;          // accumulators added to, for each group
};

struct BlasTable {
  BlasFormula zero, swap, copy, ax, axpby, caxpy, caxpby, axpy_bzpcx, caxpy_xmaz, cxpaypbz, caxpbypz_ymbw;
  BlasFormula norm2, redot, cdot, cdot_norm, norm_change, ratio;
  BlasFormula axpby_norm2, axpy_redot, axpy_cg_norm, caxpy_norm, caxpy_dot, caxpy_xmaz_norm, caxpbypz_ymbw_dot_norm;
};

} // namespace quda
