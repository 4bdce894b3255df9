#include "solvers/block_cg.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"
#include "solvers/gram_factor.h"

namespace quda
{

namespace
{

  using blas::Complex;
  using blas::Matrix;

  /// Scaled pivots up to which a column depends on others.
  double dependent_pivot(Precision precision)
  {
    return precision == Precision::double_ ? 1e-11 : precision == Precision::single ? 1e-4 : 1e-3;
  }
  constexpr double runaway = 100;  // times the residual of the beginning: directions are no longer conjugate
  constexpr double inexact = 1e-3; // pivots below it leave columns that are not orthogonal enough

  Matrix product(const Matrix &a, const Matrix &b)
  {
    Matrix c(a.rows(), b.columns());
    for (int i = 0; i < a.rows(); i++)
      for (int k = 0; k < a.columns(); k++)
        for (int j = 0; j < b.columns(); j++) c(i, j) += a(i, k) * b(k, j);
    return c;
  }

  Matrix adjoint(const Matrix &a)
  {
    Matrix b(a.columns(), a.rows());
    for (int i = 0; i < a.rows(); i++)
      for (int j = 0; j < a.columns(); j++) b(j, i) = std::conj(a(i, j));
    return b;
  }

  Matrix negative(Matrix a)
  {
    for (int i = 0; i < a.rows(); i++)
      for (int j = 0; j < a.columns(); j++) a(i, j) = -a(i, j);
    return a;
  }

  CycleResult all_end(CycleResult &cycle, Outcome outcome)
  {
    std::fill(cycle.outcome.begin(), cycle.outcome.end(), outcome);
    return cycle;
  }

  /// to = from A
  void multiply(ColorSpinorField &to, const ColorSpinorField &from, const Matrix &A)
  {
    blas::zero(to);
    blas::block::multiply_add(to, from, A);
  }

} // namespace

RankFactor::RankFactor(const Matrix &G, double least)
    : rank(0)
    , smallest(1)
{
  const int n = G.rows();
  Matrix L(n, n);
  std::vector<double> scale(n), left(n);
  std::vector<int> pivot;
  std::vector<bool> kept(n);
  for (int i = 0; i < n; i++) {
    const double square = G(i, i).real();
    scale[i] = square <= 0 ? 0 : 1 / std::sqrt(square); // NaN passes
    left[i] = square <= 0 ? 0 : 1;
  }
  for (; rank < n; rank++) {
    int p = -1;
    for (int i = 0; i < n; i++)
      if (!kept[i] && (p < 0 || left[i] > left[p])) p = i;
    if (left[p] <= least) break;
    smallest = std::min(smallest, left[p]);
    kept[p] = true;
    pivot.push_back(p);
    const double root = std::sqrt(left[p]);
    L(p, rank) = root;
    for (int i = 0; i < n; i++) {
      if (kept[i]) continue;
      Complex c = scale[i] * G(i, p) * scale[p];
      for (int k = 0; k < rank; k++) c -= L(i, k) * std::conj(L(p, k));
      L(i, rank) = c / root;
      left[i] -= std::norm(L(i, rank));
    }
  }
  S = Matrix(rank, n);
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < n; i++)
      if (scale[i] != 0) S(k, i) = std::conj(L(i, k)) / scale[i];
  // B: the inverse of the triangle that S is on the pivots; the rows of B belong to the pivots
  B = Matrix(n, rank);
  for (int j = 0; j < rank; j++)
    for (int i = j; i >= 0; i--) {
      Complex c = i == j ? 1 : 0;
      for (int k = i + 1; k <= j; k++) c -= S(i, pivot[k]) * B(pivot[k], j);
      B(pivot[i], j) = c / S(i, pivot[i]);
    }
}

Matrix BlockCG::factorise(const ColorSpinorField &W)
{
  const double least = dependent_pivot(A_.precision());
  const RankFactor first(blas::block::gram_rhs(W, W), least);
  rank_ = first.rank;
  if (rank_ == 0) return first.S;
  if (first.smallest >= inexact) {
    ColorSpinorField Q = columns(Q_, rank_);
    multiply(Q, W, first.B);
    return first.S;
  }
  ColorSpinorField between = columns(Z_, rank_);
  multiply(between, W, first.B);
  const RankFactor second(blas::block::gram_rhs(between, between), least);
  rank_ = second.rank;
  ColorSpinorField Q = columns(Q_, rank_);
  multiply(Q, between, second.B);
  return product(second.S, first.S);
}

void BlockCG::begin(const ColorSpinorField &r)
{
  rr_.begin(begun_ = blas::block::norm2(r));
  C_ = factorise(r);
  directions_ = rank_;
  if (rank_ == 0) return;
  ColorSpinorField D = columns(D_, rank_);
  blas::copy(D, columns(Q_, rank_));
}

CycleResult BlockCG::run(const CycleTarget &goal)
{
  CycleResult cycle = rr_.cycle();
  const int n = static_cast<int>(rr_.count());
  for (bool go_on = true; go_on;) {
    if (rank_ == 0) { // all right-hand sides are solved
      rr_.step(std::vector<double>(rr_.count(), 0), goal, cycle);
      break;
    }
    ColorSpinorField D = columns(D_, rank_), Z = columns(Z_, rank_), Q = columns(Q_, rank_);
    A_(Z, D);
    Matrix P = blas::block::gram_rhs(D, Z);
    Outcome outcome = Outcome::running;
    for (int i = 0; i < rank_; i++) {
      if (P(i, i).real() <= 0) outcome = P(i, i).real() < 0 ? Outcome::indefinite : Outcome::breakdown;
      for (int j = 0; j <= i; j++) P(i, j) = 0.5 * (P(i, j) + std::conj(P(j, i)));
    }
    if (outcome != Outcome::running) return all_end(cycle, outcome);
    const GramFactor factor(P, rank_, 0.1 * dependent_pivot(A_.precision()));
    M_ = Matrix(rank_, rank_);
    for (int j = 0; j < rank_; j++) {
      std::vector<Complex> unit(rank_);
      unit[j] = 1;
      unit = factor.solve(std::move(unit));
      for (int i = 0; i < rank_; i++) M_(i, j) = unit[i];
    }
    ColorSpinorField change = columns(work_, n);
    multiply(change, D, product(M_, C_));
    x_.add(blas::Coefficients(1.0), change);
    blas::block::multiply_add(Q, Z, negative(M_));
    directions_ = rank_;
    ColorSpinorField W = columns(work_, rank_);
    blas::copy(W, Q);
    const Matrix S = factorise(W);
    C_ = product(S, C_);
    std::vector<double> norm2(n);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < C_.rows(); i++) norm2[j] += std::norm(C_(i, j));
    go_on = rr_.step(norm2, goal, cycle);
    for (int j = 0; j < n; j++)
      if (norm2[j] > runaway * runaway * begun_[j]) outcome = Outcome::breakdown;
    if (outcome != Outcome::running) return all_end(cycle, outcome);
    if (!go_on || rank_ == 0) continue;
    ColorSpinorField next = columns(work_, rank_), before = columns(D_, directions_);
    blas::copy(next, columns(Q_, rank_));
    blas::block::multiply_add(next, before, adjoint(S));
    std::swap<ActiveColumns>(work_, D_);
  }
  return cycle;
}

/// A D is computed again, since its field has been overwritten.
void BlockCG::replace(const ColorSpinorField &r)
{
  rr_.begin(begun_ = blas::block::norm2(r));
  C_ = factorise(r);
  if (rank_ == 0) return;
  ColorSpinorField next = columns(work_, rank_);
  const ColorSpinorField Q = columns(Q_, rank_);
  blas::copy(next, Q);
  if (directions_ > 0) {
    ColorSpinorField D = columns(D_, directions_), Z = columns(Z_, directions_);
    A_(Z, D);
    blas::block::multiply_add(next, D, negative(product(M_, blas::block::gram_rhs(Z, Q))));
  }
  std::swap<ActiveColumns>(work_, D_);
}

} // namespace quda
