#include "solvers/dense_eigen.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace quda
{

namespace
{

  using blas::Complex;
  using blas::Matrix;

  Eigen::MatrixXcd to_eigen(const Matrix &a)
  {
    Eigen::MatrixXcd e(a.rows(), a.columns());
    for (int i = 0; i < a.rows(); i++)
      for (int j = 0; j < a.columns(); j++) e(i, j) = a(i, j);
    if (!e.allFinite())
      throw FoundTogether(ErrorKind::bad_argument, "eigenvalues: the operator made a number that is NaN or infinite");
    return e;
  }

  Matrix from_eigen(const Eigen::MatrixXcd &e)
  {
    Matrix a(static_cast<int>(e.rows()), static_cast<int>(e.cols()));
    for (int i = 0; i < a.rows(); i++)
      for (int j = 0; j < a.columns(); j++) a(i, j) = e(i, j);
    return a;
  }

  void check_end(Eigen::ComputationInfo info)
  {
    if (info != Eigen::Success)
      throw FoundTogether(ErrorKind::bad_argument, "eigenvalues: a small dense problem does not come to an end");
  }

  /// Swaps diagonal entries j and j + 1 of T.
  void swap_next(SchurForm &s, int j)
  {
    const int n = s.T.rows();
    const Complex a = s.T(j, j), b = s.T(j + 1, j + 1);
    // (T(j, j + 1), b - a) is the eigenvector of b
    Complex c = s.T(j, j + 1), d = b - a;
    const double length = std::hypot(std::abs(c), std::abs(d));
    if (length == 0) return;
    c /= length, d /= length;
    const auto columns = [&](Matrix &m, int rows) {
      for (int i = 0; i < rows; i++) {
        const Complex x = m(i, j), y = m(i, j + 1);
        m(i, j) = x * c + y * d;
        m(i, j + 1) = y * std::conj(c) - x * std::conj(d);
      }
    };
    columns(s.T, std::min(j + 2, n));
    columns(s.Q, s.Q.rows());
    for (int i = j; i < n; i++) {
      const Complex x = s.T(j, i), y = s.T(j + 1, i);
      s.T(j, i) = std::conj(c) * x + std::conj(d) * y;
      s.T(j + 1, i) = c * y - d * x;
    }
    s.T(j, j) = b, s.T(j + 1, j + 1) = a, s.T(j + 1, j) = 0;
  }

} // namespace

HermitianPairs hermitian_pairs(const Matrix &H)
{
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(to_eigen(H));
  check_end(solver.info());
  HermitianPairs pairs;
  pairs.values.assign(solver.eigenvalues().data(), solver.eigenvalues().data() + H.rows());
  pairs.vectors = from_eigen(solver.eigenvectors());
  return pairs;
}

SchurForm schur_form(const Matrix &H)
{
  const Eigen::ComplexSchur<Eigen::MatrixXcd> solver(to_eigen(H));
  check_end(solver.info());
  return {from_eigen(solver.matrixU()), from_eigen(solver.matrixT())};
}

void SchurForm::sort(const std::function<bool(Complex, Complex)> &before)
{
  for (int last = 1; last < T.rows(); last++)
    for (int j = last - 1; j >= 0 && before(T(j + 1, j + 1), T(j, j)); j--) swap_next(*this, j);
}

Matrix SchurForm::eigenvectors() const
{
  const int n = T.rows();
  Matrix X(n, n);
  double largest = std::numeric_limits<double>::min();
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) largest = std::max(largest, std::abs(T(i, j)));
  const double smallest = std::numeric_limits<double>::epsilon() * largest; // least difference of eigenvalues
  for (int k = 0; k < n; k++) {
    X(k, k) = 1;
    for (int i = k - 1; i >= 0; i--) {
      Complex sum = T(i, k);
      for (int l = i + 1; l < k; l++) sum += T(i, l) * X(l, k);
      Complex difference = T(k, k) - T(i, i);
      if (std::abs(difference) < smallest) difference = smallest;
      X(i, k) = sum / difference;
      const double size = std::abs(X(i, k));
      if (size > 1e100)
        for (int l = i; l <= k; l++) X(l, k) /= size;
    }
    double norm = 0;
    for (int i = 0; i <= k; i++) norm += std::norm(X(i, k));
    norm = std::sqrt(norm);
    for (int i = 0; i <= k; i++) X(i, k) /= norm;
  }
  return X;
}

Matrix operator*(const Matrix &a, const Matrix &b)
{
  Matrix c(a.rows(), b.columns());
  for (int i = 0; i < a.rows(); i++)
    for (int l = 0; l < a.columns(); l++) {
      const Complex one = a(i, l);
      if (one == 0.0) continue;
      for (int j = 0; j < b.columns(); j++) c(i, j) += one * b(l, j);
    }
  return c;
}

Matrix part(const Matrix &a, int i, int j, int rows, int columns)
{
  Matrix c(rows, columns);
  for (int k = 0; k < rows; k++)
    for (int l = 0; l < columns; l++) c(k, l) = a(i + k, j + l);
  return c;
}

} // namespace quda
