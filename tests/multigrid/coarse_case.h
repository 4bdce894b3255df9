#pragma once
/// A coarse operator of random matrices with M^dag = s3 M s3, the same on every grid of ranks.

#include <cmath>

#include "dirac/dirac_checks.h"
#include "dirac/dirac_coarse.h"
#include "ops/blas/blas.h"
#include "row_fields.h"

namespace coarse_case
{

using namespace row_fields;
using dirac_test::all_matpc;
using dirac_test::deviation;
using dirac_test::norm;

inline double rounding(quda::Precision precision) { return dirac_test::rounding(precision) / 2; }

/// +1 on the first half of the rows, -1 on the second.
inline double s3(int row, int rows) { return row < rows / 2 ? 1 : -1; }

/// Number (leg rows + column) rows + row of a global site: hops of norm 0.2 or so, X = 1 and something.
inline Numbers hermitian_matrices(const long long global_X[4], int rows, std::uint64_t seed)
{
  const std::uint64_t X[4] = {static_cast<std::uint64_t>(global_X[0]), static_cast<std::uint64_t>(global_X[1]),
                              static_cast<std::uint64_t>(global_X[2]), static_cast<std::uint64_t>(global_X[3])};
  return [X0 = X[0], X1 = X[1], X2 = X[2], X3 = X[3], rows, seed](std::uint64_t site, std::uint64_t k) -> Complex {
    const std::uint64_t X[4] = {X0, X1, X2, X3};
    const int n = static_cast<int>(k), row = n % rows, column = n / rows % rows, leg = n / rows / rows;
    const double size = 0.2 / std::sqrt(rows);
    const auto F = [&](int mu, std::uint64_t at, int i, int j) {
      return size * random_number(seed + static_cast<std::uint64_t>(mu), at, static_cast<std::uint64_t>(i * rows + j));
    };
    const double sign = s3(row, rows) * s3(column, rows);
    if (leg < 4) return F(leg, site, row, column);
    if (leg == 8)
      return (row == column ? 1.0 : 0.0) + F(4, site, row, column) + sign * std::conj(F(4, site, column, row));
    const int mu = leg - 4;
    std::uint64_t stride = 1;
    for (int d = 0; d < mu; d++) stride *= X[d];
    const std::uint64_t x = site / stride % X[mu], below = site - stride * x + stride * ((x + X[mu] - 1) % X[mu]);
    return sign * std::conj(F(mu, below, column, row));
  };
}

inline std::shared_ptr<const quda::CoarseMatrices> matrices(const std::shared_ptr<const quda::Lattice> &lattice,
                                                            int rows, quda::Precision precision)
{
  quda::ColorSpinorField M(row_shape(lattice, rows, precision, 9 * rows));
  fill(M, rows, hermitian_matrices(lattice->global_X(), rows, 70));
  return std::make_shared<const quda::CoarseMatrices>(std::move(M), rows);
}

/// The same with i a s3 in X.
inline std::shared_ptr<const quda::CoarseMatrices> twisted(const std::shared_ptr<const quda::CoarseMatrices> &plain,
                                                           double a)
{
  return std::make_shared<const quda::CoarseMatrices>(plain->twisted(a));
}

inline quda::ColorSpinorField random_vector(const quda::ColorSpinorParam &shape, int rows, std::uint64_t seed)
{
  quda::ColorSpinorField field(shape);
  fill(field, rows, random_numbers(seed));
  return field;
}

/// out = M_l in alone, of one of the nine legs of Legs::neighbours().
inline void multiply_by_leg(const quda::DiracCoarse &dirac, int l, quda::ColorSpinorField &out,
                            const quda::ColorSpinorField &in)
{
  const quda::ColorSpinorField &M = dirac.matrices().plain;
  row_product(out, in, {M, quda::Legs::neighbours(M.shared_lattice()), {&l, 1}});
}

/// Fields of random rows for the checks of operators.
inline dirac_test::Random of_rows(int rows)
{
  return dirac_test::Random(
      [rows](const quda::ColorSpinorParam &shape, std::uint64_t seed) { return random_vector(shape, rows, seed); });
}
inline void expect_adjoint(const quda::LinearOperator &A, int rows) { dirac_test::expect_adjoint(A, of_rows(rows)); }
inline void expect_even_odd(const quda::Dirac &dirac, int rows, int rhs)
{
  dirac_test::expect_even_odd(dirac, of_rows(rows), rhs);
}

} // namespace coarse_case
