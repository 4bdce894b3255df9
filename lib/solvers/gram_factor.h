#pragma once
/// Factorisation G = L D L^dag of a small Hermitian positive matrix, scaled to ones on its diagonal. A row that depends
/// on the rows before it is left out, as if it and its unknown were not there: the span of the vectors behind
/// a Gram matrix stays the same.

#include <vector>

#include "ops/blas/block.h"

namespace quda
{

/// Squared remainder of a unit vector that is only rounding, for scalar products of this precision.
inline double dependent(Precision precision) { return precision == Precision::double_ ? 1e-12 : 1e-6; }

class GramFactor
{
public:
  /// A factor without rows.
  GramFactor() = default;
  /// smallest: least remainder of the 1 on a row's diagonal. Reads the lower triangle of the first n rows; NaN stays.
  /// whole: the matrix whose diagonal sets the scale, if G is itself the remainder of something larger.
  GramFactor(const blas::Matrix &G, int n, double smallest, const blas::Matrix *whole = nullptr);
  /// Number of rows, including those left out.
  int size() const { return static_cast<int>(scale_.size()); }
  /// Solution y of G y = h; unknowns of rows left out are 0.
  std::vector<blas::Complex> solve(std::vector<blas::Complex> h) const;

private:
  blas::Matrix lower_;        // below the diagonal, of the scaled matrix
  std::vector<double> pivot_; // 0: left out
  std::vector<double> scale_; // 1 / sqrt(G_ii)
};

} // namespace quda
