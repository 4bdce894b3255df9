#pragma once
/// What operators ask of a hop beside the sum over the neighbours.

#include <complex>
#include <optional>
#include <vector>

#include "fields/color_spinor_field.h"
#include "ops/blas/coefficients.h"
#include "ops/dirac/twist.h"

namespace quda
{

/// Sums over the result, one a right-hand side: what is asked for, and what came out. To the bit those that
/// ops/blas/block.h gives of the same fields.
struct HopSums {
  bool norm = false;                          // |out|^2
  bool change = false;                        // Re <out, out - y>; needs y with c = 1
  const ColorSpinorField *dot_with = nullptr; // <w, out>
  std::vector<double> norms {}, changes {};
  std::vector<std::complex<double>> dots {};
};

/// A term of twisted-mass fermions that multiplies x, or the sum; that of a sum does not mix flavours.
struct HopTwist {
  TwistTerm term {};
  bool of_sum = false;
};

/// out = a x + b sum + c y, without the terms whose fields are null; x and y may be out, x not where its flavours are
/// mixed. Coefficients: one for all right-hand sides, or one for each.
struct HopEnd {
  blas::Coefficients b = 1.0, a = 1.0;
  const ColorSpinorField *x = nullptr;
  blas::Coefficients c = 1.0;
  const ColorSpinorField *y = nullptr;
  HopSums *sums = nullptr;
  std::optional<HopTwist> twist {}; // of hops of four spins
};

} // namespace quda
