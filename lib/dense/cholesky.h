#pragma once
/// Gram matrices of lists of vectors, many in one call, and what makes their vectors orthonormal:
///
///   G = L L^dag with L lower triangular,   C = L^-dag,   so that  C^dag G C = 1
///
/// and vector k of the orthonormal ones is sum_{i <= k} v_i C_ik. Hermitian n x n matrices of complex numbers in double
/// precision lie one after the other by columns; what lies above the diagonal is not read. The same bits with any number of threads.

#include "dense/batch.h"

#include <complex>
#include <optional>

namespace quda::dense
{

/// A vector that no orthonormal one can be made of.
struct DependentVector {
  long long number; // of the matrix, from 0
  int vector;       // the first that will not do
  enum class Reason { not_finite, zero, dependent } reason;
};

/// Writes C over G, zeros below the diagonal; or leaves unspecified numbers, and gives back the first of the matrices that will not do.
/// least: of |v_k|^2, the part that has to be left of a vector when what it has of those before it is taken away.
std::optional<DependentVector> inverse_cholesky(int n, long long number, std::complex<double> *G, double least);

} // namespace quda::dense
