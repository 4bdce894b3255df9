#pragma once
/// Eigenvalue problems of small dense matrices, the same bits on every rank.
/// Errors: bad_argument (on all ranks together) for a matrix with NaN or infinity, or if the iteration does not end.

#include <functional>
#include <vector>

#include "ops/blas/block.h"

namespace quda
{

/// Eigenvalues, ascending, and orthonormal eigenvectors, the columns, of a Hermitian matrix.
struct HermitianPairs {
  std::vector<double> values;
  blas::Matrix vectors;
};
HermitianPairs hermitian_pairs(const blas::Matrix &H);

/// H = Q T Q^dag, Q unitary, T upper triangular with the eigenvalues of H on its diagonal.
struct SchurForm {
  blas::Matrix Q, T;

  /// Sorts the eigenvalues by `before`; equal ones keep their order.
  void sort(const std::function<bool(blas::Complex, blas::Complex)> &before);
  /// Eigenvectors of T, columns of unit length; column i has zeros below row i.
  blas::Matrix eigenvectors() const;
};
SchurForm schur_form(const blas::Matrix &H);

blas::Matrix operator*(const blas::Matrix &a, const blas::Matrix &b);
/// Block of `rows` rows and `columns` columns that begins at (i, j).
blas::Matrix part(const blas::Matrix &a, int i, int j, int rows, int columns);

} // namespace quda
