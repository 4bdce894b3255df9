#pragma once
/// G = L D L^dag of a small Hermitian positive matrix, scaled to ones on its diagonal. A row of which the rows before
/// it leave next to nothing is left out, as if it and its unknown were not there: what the vectors behind a Gram matrix
/// span is then the same.

#include <vector>

#include "ops/blas/block.h"

namespace quda
{

/// What is left of a vector of norm 1 when only rounding is left of it, of scalar products of this precision.
inline double dependent(Precision precision) { return precision == Precision::double_ ? 1e-12 : 1e-6; }

class GramFactor
{
public:
  /// A factor without rows.
  GramFactor() = default;
  /// smallest: what must be left of the 1 of a row. Reads the lower triangle of the first n rows; NaN stays. whole:
  /// what counts as the diagonal where G is itself what was left of something larger.
  GramFactor(const blas::Matrix &G, int n, double smallest, const blas::Matrix *whole = nullptr);
  /// Rows, those left out with them.
  int size() const { return static_cast<int>(scale_.size()); }
  /// G y = h; unknowns of rows left out are 0.
  std::vector<blas::Complex> solve(std::vector<blas::Complex> h) const;

private:
  blas::Matrix lower_;        // below the diagonal, of the scaled matrix
  std::vector<double> pivot_; // 0: left out
  std::vector<double> scale_; // 1 / sqrt(G_ii)
};

} // namespace quda
