#pragma once
/// Inverses of small square matrices in host memory, many in one call:  X_i = A_i^-1,  by Eigen's LU decomposition with
/// partial pivoting, in the precision of the numbers; the same bits with any number of threads. Matrices lie one after
/// the other without gaps, all by rows or all by columns.
///
/// A matrix counts as singular if a pivot is 0 or  epsilon tr(|A^-1| |A|) > 1/2,  a test that scaling of rows and
/// columns does not change: then no digit of the inverse is right.

#include "dense/batch.h"

#include <optional>

namespace quda::dense
{

/// A matrix of the batch without an inverse.
struct NoInverse {
  long long number; // from 0
  bool finite;      // false: NaN or infinity is among its numbers
};

/// Writes X, which may be A. If a matrix has no inverse, it writes nothing and returns the first one.
std::optional<NoInverse> invert(Scalar scalar, int n, long long number, const void *A, void *X);

} // namespace quda::dense
