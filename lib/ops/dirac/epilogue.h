#pragma once
/// The epilogue of a product: terms added to it while it is in registers, and the sums over the result.
/// LinearOperator::apply(), hops and their kernels take the same structure, in the same letters.

#include <complex>
#include <vector>

#include "fields/color_spinor_field.h"
#include "ops/blas/coefficients.h"

namespace quda
{

/// out_j = a_j x_j + (b_j p_j + c_j y_j) for the product p and each right-hand side j, without the terms whose fields
/// are null, and then sums over out. y belongs to the product, which a diagonal may multiply; x is the
/// earlier part of the result. Each function states which of them may be its in or out.
struct Epilogue {
  const ColorSpinorField *x = nullptr;
  const ColorSpinorField *y = nullptr;
  blas::Coefficients a = 1.0, b = 1.0, c = 1.0;

  const ColorSpinorField *dot_with = nullptr; // w: <w_j, out_j>
  bool norm = false;                          // |out_j|^2
  bool change = false;                        // Re <out_j, out_j - a_j x_j>; needs x

  bool sums() const { return dot_with || norm || change; }
};

/// Requested sums, one for each right-hand side: to the bit the results of ops/blas/block.h on the same fields.
struct Sums {
  std::vector<double> norm, change;
  std::vector<std::complex<double>> dot;
};

} // namespace quda
