#pragma once
/// Products of small dense matrices in host memory, many in one call:
///
///   C_i = alpha op(A_i) op(B_i) + beta C_i,   i = 0 ... number - 1,   op(X) = X, X^T or X^dag
///
/// op(A) is m x k, op(B) k x n, C m x n. Matrix i of an array begins offset + i step numbers after its first.
/// Real types use the real parts of alpha and beta. If beta is 0, C is not read; if alpha is 0, A and B are not
/// read. C may share memory with A and B, whose values at the start are used; matrices of C may not share memory
/// with each other.
/// Sums are Eigen's, in the precision of the numbers; the same bits with any number of threads.

#include "dense/batch.h"

#include <complex>

namespace quda::dense
{

/// Matrices of a batch as they are stored.
struct Matrices {
  Op op;
  int leading;      // numbers from one column (order row: one row) to the next
  long long offset; // numbers before the first matrix
  long long stride; // numbers from a matrix to the next
};

struct Gemm {
  Scalar scalar;
  Order order;
  int m, n, k;
  Matrices a, b, c; // c.op: none
  std::complex<double> alpha, beta;
  long long number;
};

void multiply(const Gemm &gemm, const void *A, const void *B, void *C);

} // namespace quda::dense
