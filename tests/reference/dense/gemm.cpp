#include "reference/dense/gemm.h"

namespace reference
{

namespace
{

  using Complex = std::complex<double>;

  /// Numbers of one matrix, padding included; rows and columns are those of op(X).
  std::size_t numbers_of_one(const DenseArray &array, bool by_rows, int rows, int columns)
  {
    const int stored_rows = array.op == 'N' ? rows : columns, stored_columns = array.op == 'N' ? columns : rows;
    return static_cast<std::size_t>(array.leading) * (by_rows ? stored_rows : stored_columns);
  }

  /// Place of number (row, column) of op(X), X being matrix i.
  struct Places {
    const DenseArray &array;
    bool by_rows;
    std::size_t first;

    Places(const DenseArray &array, bool by_rows, int rows, int columns, int i)
        : array(array)
        , by_rows(by_rows)
        , first(array.offset +
                numbers_of_one(array, by_rows, rows, columns) * i * (array.stride == 0 ? 1 : array.stride))
    {
    }
    std::size_t operator()(int row, int column) const
    {
      if (array.op != 'N') std::swap(row, column);
      return first + (by_rows ? static_cast<std::size_t>(row) * array.leading + column
                              : static_cast<std::size_t>(column) * array.leading + row);
    }
    Complex of(const std::vector<Complex> &numbers, int row, int column) const
    {
      const Complex x = numbers[(*this)(row, column)];
      return array.op == 'C' ? std::conj(x) : x;
    }
  };

} // namespace

std::size_t DenseProducts::numbers(const DenseArray &array, bool by_rows, int rows, int columns, int matrices)
{
  return array.offset + matrices * numbers_of_one(array, by_rows, rows, columns);
}

std::vector<double> DenseProducts::multiply(const std::vector<Complex> &A, const std::vector<Complex> &B,
                                            std::vector<Complex> &C) const
{
  std::vector<double> sizes(C.size());
  for (int i = 0; i < number; i++) {
    const Places in_a(a, by_rows, m, k, i), in_b(b, by_rows, k, n, i), in_c(c, by_rows, m, n, i);
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++) {
        Complex sum = 0;
        double size = 0;
        for (int l = 0; l < k; l++) {
          const Complex x = in_a.of(A, row, l), y = in_b.of(B, l, column);
          sum += Complex(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
          size += (std::abs(x.real()) + std::abs(x.imag())) * (std::abs(y.real()) + std::abs(y.imag()));
        }
        const std::size_t place = in_c(row, column);
        sizes[place] = std::abs(alpha) * size + (beta == 0.0 ? 0 : std::abs(beta * C[place]));
        C[place] = alpha * sum + (beta == 0.0 ? 0.0 : beta * C[place]);
      }
  }
  return sizes;
}

} // namespace reference
