#pragma once
/// What the linear algebra on whole fields hands to its launch units.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

constexpr int blas_operands = 5;     // x, y, z, w, u
constexpr int blas_coefficients = 3; // a, b, c

struct BlasCall {
  FieldView shape;           // of all operands; data not read
  void *data[blas_operands]; // native fields of that shape; those a formula does not name may be null
  int parities;
  double re[blas_coefficients];
  double im[blas_coefficients]; // formulas with real coefficients do not read it
};

/// A formula as its kernel describes itself. Masks have bit k for operand k.
struct BlasFormula {
  using Launch = void (*)(const TuneParam &, void *stream, const BlasCall &, ExactLimbs *sums);
  Launch launch[2]; // [precision: double, single]
  unsigned reads;
  unsigned writes;
  unsigned in_place; // those that may be the field that is written
  int sums;          // accumulators added to
};

struct BlasTable {
  BlasFormula copy, ax, axpby, caxpy, caxpby, axpy_bzpcx, caxpy_xmaz, cxpaypbz, caxpbypz_ymbw;
  BlasFormula norm2, redot, cdot, cdot_norm;
  BlasFormula axpby_norm2, axpy_redot, axpy_cg_norm, caxpy_norm, caxpy_dot, caxpy_xmaz_norm, caxpbypz_ymbw_dot_norm;
};

} // namespace quda
