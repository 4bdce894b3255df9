#include "solvers/eigen_method.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quda
{

using blas::Complex;
using blas::Matrix;

bool comes_before(Wanted wanted, Complex a, Complex b)
{
  switch (wanted) {
  case Wanted::largest_modulus:
    return std::abs(a) > std::abs(b);
  case Wanted::smallest_modulus:
    return std::abs(a) < std::abs(b);
  case Wanted::largest_real:
    return a.real() > b.real();
  case Wanted::smallest_real:
    return a.real() < b.real();
  case Wanted::largest_imaginary:
    return a.imag() > b.imag();
  case Wanted::smallest_imaginary:
    return a.imag() < b.imag();
  }
  return false;
}

namespace
{

  /// |B x_j| for each column x_j of X.
  std::vector<double> residuals_of(const Matrix &B, const Matrix &X)
  {
    const Matrix R = B * X;
    std::vector<double> norms;
    for (int j = 0; j < R.columns(); j++) {
      double sum = 0;
      for (int i = 0; i < R.rows(); i++) sum += std::norm(R(i, j));
      norms.push_back(std::sqrt(sum));
    }
    return norms;
  }

  RitzPairs of_hermitian(const Matrix &H, const Matrix &B, Wanted wanted)
  {
    const HermitianPairs pairs = hermitian_pairs(H);
    const int n = H.rows();
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return comes_before(wanted, pairs.values[static_cast<std::size_t>(a)], pairs.values[static_cast<std::size_t>(b)]);
    });
    RitzPairs ritz {.values = {}, .residuals = {}, .Q = Matrix(n, n), .T = Matrix(n, n), .Y = Matrix(n, n)};
    for (int j = 0; j < n; j++) {
      const int from = order[static_cast<std::size_t>(j)];
      ritz.values.emplace_back(pairs.values[static_cast<std::size_t>(from)]);
      for (int i = 0; i < n; i++) ritz.Q(i, j) = pairs.vectors(i, from);
      ritz.T(j, j) = ritz.values.back();
      ritz.Y(j, j) = 1;
    }
    ritz.residuals = residuals_of(B, ritz.Q);
    return ritz;
  }

  RitzPairs of_general(const Matrix &H, const Matrix &B, Wanted wanted)
  {
    SchurForm schur = schur_form(H);
    schur.sort([wanted](Complex a, Complex b) { return comes_before(wanted, a, b); });
    RitzPairs ritz;
    for (int j = 0; j < H.rows(); j++) ritz.values.push_back(schur.T(j, j));
    ritz.Y = schur.eigenvectors();
    ritz.residuals = residuals_of(B * schur.Q, ritz.Y);
    ritz.Q = std::move(schur.Q);
    ritz.T = std::move(schur.T);
    return ritz;
  }

  // number, name, Hermitian, blocks, slices, projected problem
  constexpr EigenMethodRow rows[] = {
      {EigenMethod::tr_lanczos, "TR-Lanczos", true, false, false, of_hermitian},
      {EigenMethod::block_tr_lanczos, "block TR-Lanczos", true, true, false, of_hermitian},
      {EigenMethod::tr_lanczos_3d, "TR-Lanczos on slices", true, false, true, of_hermitian},
      {EigenMethod::ir_arnoldi, "IR-Arnoldi", false, false, false, of_general},
      {EigenMethod::block_ir_arnoldi, "block IR-Arnoldi", false, true, false, of_general},
  };

} // namespace

std::span<const EigenMethodRow> eigen_methods() { return rows; }

const EigenMethodRow *find_eigen_method(int number)
{
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [=](const EigenMethodRow &one) { return static_cast<int>(one.method) == number; });
  return row == std::end(rows) ? nullptr : row;
}

} // namespace quda
