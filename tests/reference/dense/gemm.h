/// Products of many dense matrices by loops over their numbers.
#pragma once

#include <complex>
#include <vector>

namespace reference
{

/// Where the matrices of a batch are: `leading` numbers from the beginning of a column (by rows: of a row) to that of
/// the next; `stride`: matrices from one that is used to the next, 0 is 1.
struct DenseArray {
  char op; // 'N', 'T' or 'C'
  int leading, offset, stride;
};

/// C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) k x n.
struct DenseProducts {
  bool by_rows;
  int m, n, k;
  DenseArray a, b, c;
  std::complex<double> alpha, beta;
  int number;

  /// Of a batch of so many matrices.
  static std::size_t numbers(const DenseArray &array, bool by_rows, int rows, int columns, int matrices);
  /// Writes C. Returns for each of its numbers the sum of the absolute values of what is summed there, 0 between
  /// matrices.
  std::vector<double> multiply(const std::vector<std::complex<double>> &A, const std::vector<std::complex<double>> &B,
                               std::vector<std::complex<double>> &C) const;
};

} // namespace reference
