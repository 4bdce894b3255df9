/// Operators of coarse grids: their even-odd forms, adjoints, epilogues, precisions.
#include "coarse_case.h"

#include <Eigen/Dense>

#include "core/error.h"
#include "fields/refused.h"
#include "ops/blas/block.h"
#include "support/native_fields.h"
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
  const int rows = 12, rhs = 3;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 4}), rows, Precision::double_));
  std::vector<std::unique_ptr<LinearOperator>> all;
  all.push_back(dirac.full());
  for (const MatPC matpc : all_matpc) all.push_back(dirac.schur(matpc));
  for (const auto &A : all)
    for (const bool dagger : {false, true}) {
      const ColorSpinorParam shape = A->shape(rhs);
      const ColorSpinorField in = random_vector(shape, rows, 1), x = random_vector(shape, rows, 2),
                             y = random_vector(shape, rows, 3);
      ColorSpinorField product(shape), expected(shape), out(shape);
      (*A)(product, in, dagger);
      for (const int with_x : {0, 1, 2})   // 2: which is out
        for (const int with_y : {0, 1, 2}) // 2: which is in
          for (const bool change : {false, true}) {
            if (change && !with_x) continue;
            SCOPED_TRACE(testing::Message() << "x " << with_x << " y " << with_y << " dagger " << dagger);
            Epilogue end {.a = 0.3, .b = -1.5, .c = 0.7, .dot_with = &y, .norm = true, .change = change};
            blas::copy(expected, product);
            blas::ax(-1.5, expected);
            if (with_y) blas::axpy(0.7, with_y == 1 ? y : in, expected);
            if (with_x) blas::axpy(0.3, x, expected);
            if (with_x == 2) blas::copy(out, x);
            if (with_x) end.x = with_x == 1 ? &x : &out;
            if (with_y) end.y = with_y == 1 ? &y : &in;
            Sums sums;
            A->apply({.out = out, .in = in, .dagger = dagger, .end = end}, &sums);
            EXPECT_LE(deviation(out, expected), 1e-13);
            EXPECT_EQ(sums.norm, blas::block::norm2(out));
            EXPECT_EQ(sums.dot, blas::block::cdot(y, out));
          }
    }
}

TEST(DiracCoarse, RightHandSidesAreAlone)
{
  const int rows = 12, rhs = 5;
  const DiracCoarse dirac(matrices(rows_of({2, 2, 2, 2}), rows, Precision::single));
  for (const MatPC matpc : all_matpc)
    for (const bool dagger : {false, true}) {
      const auto A = dirac.schur(matpc);
      const ColorSpinorField in = random_vector(A->shape(rhs), rows, 1);
      ColorSpinorField out(A->shape(rhs)), one(A->shape(1));
      (*A)(out, in, dagger);
      for (int j = 0; j < rhs; j++) {
        (*A)(one, in.columns(j, 1), dagger);
        EXPECT_EQ(to_host(one, rows), to_host(out.columns(j, 1), rows));
      }
    }
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
  EXPECT_TRUE(contains(refused(ErrorKind::unsupported,
                               [&] {
                                 dirac.clone({Precision::quarter, Reconstruct::none});
                               }),
                       "quarter"));
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
  EXPECT_TRUE(contains(refused(ErrorKind::bad_argument, [&] { CoarseMatrices(std::move(M), rows); }), "1 0 1 3"));
}
