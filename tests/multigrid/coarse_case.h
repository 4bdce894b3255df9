#pragma once
/// A coarse operator of random matrices with M^dag = s3 M s3, the same on every grid of ranks.

#include <cmath>

#include "dirac/dirac_coarse.h"
#include "ops/blas/blas.h"
#include "row_fields.h"

namespace coarse_case
{

using namespace row_fields;

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

inline double norm(const quda::ColorSpinorField &x) { return std::sqrt(quda::blas::norm2(x)); }

/// |a - b| / |b|
inline double deviation(const quda::ColorSpinorField &a, const quda::ColorSpinorField &b)
{
  quda::ColorSpinorField difference(b.param());
  quda::blas::axpbyz(1, a, -1, b, difference);
  return norm(difference) / norm(b);
}

inline double rounding(quda::Precision precision) { return precision == quda::Precision::double_ ? 1e-13 : 1e-5; }

constexpr quda::MatPC all_matpc[] = {quda::MatPC::even_even, quda::MatPC::odd_odd, quda::MatPC::even_even_asymmetric,
                                     quda::MatPC::odd_odd_asymmetric};

/// <y, A x> = conj <x, A^dag y>
inline void expect_adjoint(const quda::LinearOperator &A, int rows)
{
  const quda::ColorSpinorField x = random_vector(A.shape(1), rows, 3), y = random_vector(A.shape(1), rows, 4);
  quda::ColorSpinorField Ax(A.shape(1)), Ady(A.shape(1));
  A(Ax, x);
  A(Ady, y, true);
  EXPECT_LE(std::abs(quda::blas::cdot(y, Ax) - std::conj(quda::blas::cdot(x, Ady))),
            rounding(A.precision()) * norm(x) * norm(y));
}

/// With b = M x: M_pc x_t is what prepare() makes of b, and reconstruct() makes x of x_t and b.
inline void expect_even_odd(const quda::Dirac &dirac, int rows, int rhs)
{
  using namespace quda;
  const auto M = dirac.full();
  const ColorSpinorField x = random_vector(M->shape(rhs), rows, 5);
  for (const bool dagger : {false, true})
    for (const MatPC matpc : all_matpc) {
      SCOPED_TRACE(testing::Message() << "matpc " << static_cast<int>(matpc) << " dagger " << dagger);
      const auto Mpc = dirac.schur(matpc);
      const int t = parity_of(matpc);
      ColorSpinorField b(M->shape(rhs)), c(Mpc->shape(rhs)), x_t(Mpc->shape(rhs)), product(Mpc->shape(rhs));
      (*M)(b, x, dagger);
      dirac.prepare(c, b, matpc, dagger);
      x_t = x.half(t);
      dirac.prepare_guess(x_t, matpc, dagger);
      (*Mpc)(product, x_t, dagger);
      EXPECT_LE(deviation(product, c), rounding(M->precision()));
      ColorSpinorField again(b.param());
      again = b;
      ColorSpinorField half = again.half(t);
      dirac.prepare(half, again, matpc, dagger); // in place
      EXPECT_LE(deviation(half, c), rounding(M->precision()));
      ColorSpinorField all(M->shape(rhs));
      ColorSpinorField of_all = all.half(t), rest = all.half(1 - t);
      of_all = x_t;
      blas::zero(rest);
      dirac.reconstruct(all, b, matpc, dagger);
      EXPECT_LE(deviation(all, x), rounding(M->precision()));
    }
}

} // namespace coarse_case
