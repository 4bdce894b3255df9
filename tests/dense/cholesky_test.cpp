/// What makes vectors orthonormal from their Gram matrix, and vectors that none can be made of.

#include "dense/cholesky.h"

#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "reference/random.h"

using namespace quda;

namespace
{

using Matrix = Eigen::MatrixXcd;
using Reason = dense::DependentVector::Reason;

/// Columns of 40 numbers that differ little from each other.
Matrix vectors(int n, std::uint64_t seed)
{
  Matrix v(40, n);
  reference::SiteRandom random(seed, 0, 0);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 40; i++) v(i, j) = (j ? 5.0 * v(i, 0) : 0.0) + random.gaussian();
  return v;
}

std::optional<dense::DependentVector> factors(const std::vector<Matrix> &all, std::vector<Matrix> &C,
                                              double least = 1e-12)
{
  const int n = static_cast<int>(all[0].cols());
  std::vector<std::complex<double>> numbers;
  for (const Matrix &v : all) {
    const Matrix gram = v.adjoint() * v;
    numbers.insert(numbers.end(), gram.data(), gram.data() + gram.size());
  }
  const auto failed = dense::inverse_cholesky(n, static_cast<long long>(all.size()), numbers.data(), least);
  C.clear();
  for (std::size_t m = 0; m < all.size(); m++) C.push_back(Eigen::Map<Matrix>(numbers.data() + m * n * n, n, n));
  return failed;
}

} // namespace

TEST(InverseCholesky, MakesVectorsOrthonormal)
{
  for (const int n : {1, 2, 7, 24}) {
    std::vector<Matrix> all, C;
    for (int m = 0; m < 9; m++) all.push_back(vectors(n, 100 * n + m));
    ASSERT_FALSE(factors(all, C));
    for (std::size_t m = 0; m < all.size(); m++) {
      const Matrix q = all[m] * C[m];
      EXPECT_LE((q.adjoint() * q - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-10) << n;
      for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++) EXPECT_EQ(C[m](i, j), 0.0);
    }
  }
}

TEST(InverseCholesky, NamesTheVectorThatWillNotDo)
{
  std::vector<Matrix> good, C;
  for (int m = 0; m < 9; m++) good.push_back(vectors(5, m));
  const auto expect = [&](const std::vector<Matrix> &all, long long number, int vector, Reason reason) {
    const auto failed = factors(all, C);
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->number, number);
    EXPECT_EQ(failed->vector, vector);
    EXPECT_EQ(failed->reason, reason);
  };
  std::vector<Matrix> all = good;
  all[7].col(0).setZero();
  all[4].col(3).setZero();
  expect(all, 4, 3, Reason::zero);
  all[2](11, 2) = NAN;
  expect(all, 2, 2, Reason::not_finite);
  all[1](11, 0) = INFINITY;
  expect(all, 1, 0, Reason::not_finite);
  all[0].col(4) = all[0].col(1) - 2.0 * all[0].col(3);
  expect(all, 0, 4, Reason::dependent);
}
