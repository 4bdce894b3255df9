/// Operators of coarse grids: their even-odd forms, adjoints, epilogues, precisions.
#include "coarse_case.h"

#include <Eigen/Dense>

#include "core/error.h"
#include "ops/blas/block.h"
#include "support/native_fields.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace coarse_case;

namespace
{

std::shared_ptr<const Lattice> rows_of(std::vector<int> X)
{
  return Lattice::rows(X.data(), make_single_communicator());
}

using Dense = Eigen::MatrixXcd;

/// M as one dense matrix, column by column.
Dense dense_of(const LinearOperator &A, int rows)
{
  const ColorSpinorParam shape = A.shape(rows);
  ColorSpinorField in(shape), out(shape);
  const long long sites = in.sites(), size = sites * rows;
  Dense all(size, size);
  for (long long site = 0; site < sites; site++) {
    RowArray unit(static_cast<std::size_t>(size) * rows);
    for (int j = 0; j < rows; j++) unit[static_cast<std::size_t>((site * rows + j) * rows + j)] = 1;
    from_host(in, rows, unit);
    A(out, in);
    const RowArray columns = to_host(out, rows);
    for (long long to = 0; to < sites; to++)
      for (int j = 0; j < rows; j++)
        for (int r = 0; r < rows; r++)
          all(to * rows + r, site * rows + j) = columns[static_cast<std::size_t>((to * rows + j) * rows + r)];
  }
  return all;
}

} // namespace

TEST(DiracCoarse, SchurComplementsAreThoseOfTheDenseMatrix)
{
  const int rows = 12;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 2}), rows, Precision::double_));
  const Dense M = dense_of(*dirac.full(), rows);
  const Eigen::Index half = M.rows() / 2;
  for (const MatPC matpc : all_matpc) {
    const Eigen::Index t = parity_of(matpc) * half, o = half - t;
    const Dense A_t = M.block(t, t, half, half), A_o = M.block(o, o, half, half);
    Dense expected = A_t - M.block(t, o, half, half) * A_o.inverse() * M.block(o, t, half, half);
    if (symmetric(matpc)) expected = A_t.inverse() * expected;
    EXPECT_LE((dense_of(*dirac.schur(matpc), rows) - expected).norm(), 1e-13 * expected.norm());
  }
  // the solution of M x = b by way of one parity
  const ColorSpinorField b = random_vector(dirac.shape(-1, 1), rows, 8);
  const RowArray numbers = to_host(b, rows);
  const Eigen::Map<const Eigen::VectorXcd> right(numbers.data(), M.rows());
  const Eigen::VectorXcd solution = M.partialPivLu().solve(right);
  for (const MatPC matpc : all_matpc) {
    const int t = parity_of(matpc);
    ColorSpinorField c(dirac.shape(t, 1)), x(b.param());
    dirac.prepare(c, b, matpc, false);
    const RowArray of_c = to_host(c, rows);
    const Eigen::Map<const Eigen::VectorXcd> rest(of_c.data(), half);
    const Eigen::VectorXcd x_t = dense_of(*dirac.schur(matpc), rows).partialPivLu().solve(rest);
    blas::zero(x);
    ColorSpinorField part = x.half(t);
    from_host(part, rows, RowArray(x_t.data(), x_t.data() + half));
    dirac.reconstruct(x, b, matpc, false);
    const RowArray found = to_host(x, rows);
    EXPECT_LE((Eigen::Map<const Eigen::VectorXcd>(found.data(), M.rows()) - solution).norm(), 1e-12 * solution.norm());
  }
}

TEST(DiracCoarse, AdjointsAndEvenOddForms)
{
  support::on_targets([] {
    const int rows = target().lanes() == 1 ? 12 : 20;
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const DiracCoarse dirac(matrices(rows_of({2, 4, 2, 2}), rows, precision));
      expect_adjoint(*dirac.full(), rows);
      for (const MatPC matpc : all_matpc) expect_adjoint(*dirac.schur(matpc), rows);
      expect_even_odd(dirac, rows, 2);
    }
  });
}

/// Of operators with a twist, in the precision they were made in and in others.
TEST(DiracCoarse, TwistedAdjoints)
{
  const int rows = 12;
  const auto plain = matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_);
  const DiracCoarse untwisted(plain), dirac(twisted(plain, 0.3));
  // i a s3 alone is what was added
  const ColorSpinorField v = random_vector(dirac.shape(-1, 1), rows, 1);
  ColorSpinorField with(v.param()), without(v.param());
  (*dirac.full())(with, v);
  (*untwisted.full())(without, v);
  blas::axpy(-1, without, with);
  const RowArray difference = to_host(with, rows), in = to_host(v, rows);
  for (std::size_t n = 0; n < in.size(); n++)
    EXPECT_LE(std::abs(difference[n] - Complex(0, 0.3) * s3(static_cast<int>(n) % rows, rows) * in[n]), 1e-14);
  const auto single = dirac.clone({Precision::single, Reconstruct::none});
  for (const Dirac *of : {static_cast<const Dirac *>(&dirac), static_cast<const Dirac *>(single.get())}) {
    expect_adjoint(*of->full(), rows);
    for (const MatPC matpc : all_matpc) expect_adjoint(*of->schur(matpc), rows);
    expect_even_odd(*of, rows, 2);
  }
  const auto half = dirac.clone({Precision::half, Reconstruct::none})->clone({Precision::half, Reconstruct::none});
  const auto A = dirac.schur(MatPC::odd_odd), B = half->schur(MatPC::odd_odd);
  const ColorSpinorField x = random_vector(A->shape(1), rows, 1), y = random_vector(B->shape(1), rows, 1);
  ColorSpinorField Ax(A->shape(1)), By(B->shape(1)), back(A->shape(1));
  (*A)(Ax, x, true);
  (*B)(By, y, true);
  back = By;
  EXPECT_LE(deviation(back, Ax), 1e-4);
}

/// s3 M s3 is the adjoint of the dense matrix.
TEST(DiracCoarse, IsSymmetricUnderChirality)
{
  const int rows = 12;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_));
  const Dense M = dense_of(*dirac.full(), rows);
  Dense turned = M;
  for (Eigen::Index i = 0; i < M.rows(); i++)
    for (Eigen::Index j = 0; j < M.cols(); j++)
      turned(i, j) *= s3(static_cast<int>(i % rows), rows) * s3(static_cast<int>(j % rows), rows);
  EXPECT_LE((turned - M.adjoint()).norm(), 1e-14 * M.norm());
}

TEST(DiracCoarse, EpiloguesAreProductsAndLinearAlgebra)
{
  const int rows = 12;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_));
  dirac_test::expect_epilogues(*dirac.full(), of_rows(rows), 3);
  for (const MatPC matpc : all_matpc) dirac_test::expect_epilogues(*dirac.schur(matpc), of_rows(rows), 3);
}

TEST(DiracCoarse, RightHandSidesAreAlone)
{
  const int rows = 12;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 2}), rows, Precision::single));
  for (const MatPC matpc : all_matpc) dirac_test::expect_columns_alone(*dirac.schur(matpc), of_rows(rows));
}

TEST(DiracCoarse, OtherPrecisions)
{
  const int rows = 20;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_));
  for (const auto &[precision, error] :
       {std::pair {Precision::double_, 0.0}, {Precision::single, 1e-6}, {Precision::half, 1e-4}}) {
    const auto other = dirac.clone({precision, Reconstruct::none});
    EXPECT_EQ(other->storage().precision, precision);
    const Precision vectors = precision == Precision::double_ ? precision : Precision::single;
    for (const int parity : {-1, 0}) {
      const auto A = parity < 0 ? dirac.full() : dirac.schur(MatPC::even_even);
      const auto B = parity < 0 ? other->full() : other->schur(MatPC::even_even);
      EXPECT_EQ(B->precision(), vectors);
      const ColorSpinorField in = random_vector(A->shape(2), rows, 1);
      ColorSpinorField there(B->shape(2)), out(A->shape(2)), result(B->shape(2)), back(A->shape(2));
      there = in;
      (*A)(out, in);
      (*B)(result, there);
      back = result;
      EXPECT_LE(deviation(back, out), error);
      EXPECT_GT(A->bytes(1), B->precision() == Precision::double_ ? 0 : B->bytes(1));
      EXPECT_EQ(A->flops(2), 2 * B->flops(1));
    }
  }
  expect_refused(ErrorKind::unsupported, {"quarter"}, [&] { dirac.clone({Precision::quarter, Reconstruct::none}); });
}

/// The legs one by one make M.
TEST(DiracCoarse, LegsAlone)
{
  const int rows = 12;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_));
  const auto M = dirac.full();
  const ColorSpinorField in = random_vector(M->shape(2), rows, 1);
  ColorSpinorField sum(M->shape(2)), one(M->shape(2)), expected(M->shape(2)), hop(M->shape(2));
  blas::zero(sum);
  for (int leg = 0; leg < 9; leg++) {
    multiply_by_leg(dirac, leg, one, in);
    blas::axpy(1, one, sum);
  }
  (*M)(expected, in);
  EXPECT_LE(deviation(sum, expected), 1e-14);
  // X (v + X^-1 H v) = M v
  dirac.dslash(hop, in, false);
  ColorSpinorField v(in.param());
  blas::axpbyz(1, in, -1, hop, v);
  multiply_by_leg(dirac, 8, one, v);
  EXPECT_LE(deviation(one, expected), 1e-13);
}

TEST(DiracCoarse, NamesASiteWithoutInverse)
{
  const int rows = 12;
  const auto lattice = rows_of({2, 2, 2, 4});
  ColorSpinorField M(row_shape(lattice, rows, Precision::double_, 9 * rows));
  const int bad[4] = {1, 0, 1, 3};
  const std::uint64_t at = global_site(*lattice, bad);
  const Numbers good = hermitian_matrices(lattice->global_X(), rows, 70);
  fill(M, rows, [&](std::uint64_t site, std::uint64_t n) {
    return site == at && n / (rows * rows) == 8 ? Complex(1) : good(site, n);
  });
  expect_refused(ErrorKind::bad_argument, {"1 0 1 3"}, [&] { CoarseMatrices(std::move(M), rows); });
}
