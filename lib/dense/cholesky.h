#pragma once
/// Inverse Cholesky factors of Gram matrices, many in one call: they make the vectors orthonormal.
///
///   G = L L^dag with L lower triangular,   C = L^-dag,   so that  C^dag G C = 1
///
/// and orthonormal vector k is sum_{i <= k} v_i C_ik. The Hermitian n x n matrices of complex numbers in double
/// precision are contiguous, each by columns; the part above the diagonal is not read. Bits do not depend on threads.

#include "dense/batch.h"

#include <complex>
#include <optional>

namespace quda::dense
{

/// A vector that depends on those before it.
struct DependentVector {
  long long number; // of the matrix, from 0
  int vector;       // the first vector that depends on the earlier ones
  enum class Reason { not_finite, zero, dependent } reason;
};

/// Writes C over G, zeros below the diagonal. On failure it returns the first matrix that fails; numbers are undefined.
/// least: of |v_k|^2, the part that must be left of a vector after its projection on the earlier ones is subtracted.
std::optional<DependentVector> inverse_cholesky(int n, long long number, std::complex<double> *G, double least);

} // namespace quda::dense
