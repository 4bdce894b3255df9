#include "solvers/gmres_dr.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "ops/blas/block.h"

namespace quda
{

namespace
{

  constexpr double outside = 0.05; // part of a residual that may lie outside the space

} // namespace

GMRESDR::Small::Small(int m, int recycled)
    : H(m + 1, m)
    , T(m + 1, m + 1)
    , R(m + 1, m)
    , B(recycled, m)
    , c(m + 1)
    , d(recycled)
    , g(m + 1)
{
}

void GMRESDR::Small::factorise(int n, int rows)
{
  const int all = T.rows();
  for (int i = 0; i < all; i++)
    for (int j = 0; j < all; j++) T(i, j) = i == j;
  g = c;
  for (int j = 0; j < n; j++) rotate(j, rows);
}

void GMRESDR::Small::rotate(int j, int rows)
{
  std::vector<Complex> column(rows);
  for (int i = 0; i < rows; i++)
    for (int l = 0; l < rows; l++) column[i] += T(i, l) * H(l, j);
  for (int i = rows - 1; i > j; i--) {
    const double length = std::hypot(std::abs(column[i - 1]), std::abs(column[i]));
    if (length == 0) continue;
    const Complex a = std::conj(column[i - 1]) / length, b = std::conj(column[i]) / length;
    const auto turn = [&](Complex &upper, Complex &lower) {
      const Complex before = upper;
      upper = a * before + b * lower;
      lower = std::conj(a) * lower - std::conj(b) * before;
    };
    turn(column[i - 1], column[i]);
    turn(g[i - 1], g[i]);
    for (int l = 0; l < rows; l++) turn(T(i - 1, l), T(i, l));
  }
  for (int i = 0; i <= j; i++) R(i, j) = column[i];
}

double GMRESDR::Small::residual(int n, int rows) const
{
  double sum = 0;
  for (int i = n; i < rows; i++) sum += std::norm(g[i]);
  return sum;
}

std::vector<blas::Complex> GMRESDR::Small::solution(int n) const
{
  std::vector<Complex> y(n);
  for (int i = n - 1; i >= 0; i--) {
    if (R(i, i) == 0.0) continue;
    y[i] = g[i];
    for (int j = i + 1; j < n; j++) y[i] -= R(i, j) * y[j];
    y[i] /= R(i, i);
  }
  return y;
}

bool GMRESDR::Small::kept(int k, blas::Matrix &P) const
{
  const int m = H.columns();
  Eigen::MatrixXcd all(m + 1, m);
  for (int i = 0; i <= m; i++)
    for (int j = 0; j < m; j++) all(i, j) = H(i, j);
  if (!all.allFinite()) return false;
  const Eigen::FullPivLU<Eigen::MatrixXcd> of_adjoint(all.topRows(m).adjoint());
  if (!of_adjoint.isInvertible()) return false;
  Eigen::MatrixXcd F = all.topRows(m);
  F.col(m - 1) += std::norm(H(m, m - 1)) * of_adjoint.solve(Eigen::VectorXcd::Unit(m, m - 1));
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> pairs(F);
  if (pairs.info() != Eigen::Success) return false;
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(pairs.eigenvalues()[a]) < std::abs(pairs.eigenvalues()[b]); });
  Eigen::MatrixXcd directions = Eigen::MatrixXcd::Zero(m + 1, k + 1);
  for (int j = 0; j < k; j++) directions.col(j).head(m) = pairs.eigenvectors().col(order[j]);
  for (int i = 0; i <= m; i++) directions(i, k) = c[i];
  directions.col(k) /= std::max(directions.col(k).norm(), std::numeric_limits<double>::min());
  const Eigen::MatrixXcd Q =
      Eigen::HouseholderQR<Eigen::MatrixXcd>(directions).householderQ() * Eigen::MatrixXcd::Identity(m + 1, k + 1);
  if (!Q.allFinite()) return false;
  P = blas::Matrix(m + 1, k + 1);
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= k; j++) P(i, j) = Q(i, j);
  return true;
}

GMRESDR::Projection::Projection(const LinearOperator &A, const ColorSpinorField &from)
    : U(A.shape(from.rhs()))
    , C(A.shape(from.rhs()))
{
  blas::block::convert(U, from);
  A(C, U);
  factor = GramFactor(blas::block::gram_rhs(C, C), C.rhs(), dependent(C.precision()));
}

blas::Matrix GMRESDR::Projection::part_of(const ColorSpinorField &w) const
{
  blas::Matrix h = blas::block::gram_rhs(C, w);
  for (int rhs = 0; rhs < w.rhs(); rhs++) {
    std::vector<Complex> one(C.rhs());
    for (int i = 0; i < C.rhs(); i++) one[i] = h(i, rhs);
    one = factor.solve(std::move(one));
    for (int i = 0; i < C.rhs(); i++) h(i, rhs) = one[i];
  }
  return h;
}

blas::Matrix GMRESDR::Projection::take_from(ColorSpinorField &w) const
{
  const blas::Matrix h = part_of(w);
  blas::Matrix minus(h.rows(), h.columns());
  for (int i = 0; i < h.rows(); i++)
    for (int rhs = 0; rhs < h.columns(); rhs++) minus(i, rhs) = -h(i, rhs);
  blas::block::multiply_add(w, C, minus);
  return h;
}

GMRESDR::GMRESDR(const LinearOperator &A, int m, int k, const Recycling &others)
    : KrylovMethod(A, "GMRES-DR")
    , m_(m)
    , k_(k)
    , left_(others.left)
    , V_(this, std::max(m, 1) + 1)
{
  if (k < 1 || k >= m - 1)
    fail(
        ErrorKind::bad_argument,
        text(
            "GMRES-DR: %d directions of %d are to be kept at restarts; allowed: at least 1, and fewer than all but one",
            k, m));
  if (others.from) projection_.emplace(A, *others.from);
}

std::vector<double> GMRESDR::normalise(ColorSpinorField &v)
{
  std::vector<double> norm = blas::block::norm2(v), inverse(norm.size());
  for (std::size_t j = 0; j < norm.size(); j++) {
    norm[j] = std::sqrt(norm[j]);
    inverse[j] = norm[j] > 0 ? 1 / norm[j] : 0;
  }
  blas::ax(inverse, v);
  return norm;
}

void GMRESDR::begin(const ColorSpinorField &r)
{
  if (left_ && r.rhs() != 1)
    fail(ErrorKind::bad_argument,
         text("GMRES-DR: %d right-hand sides in a solve that leaves its modes; allowed: 1", r.rhs()));
  blas::copy(V_[0], r);
  const blas::Matrix d = projection_ ? projection_->take_from(V_[0]) : blas::Matrix();
  rr_.begin(blas::block::norm2(V_[0]));
  const std::vector<double> norm = normalise(V_[0]);
  used_ = 0;
  small_.assign(rr_.count(), Small(m_, recycled()));
  for (std::size_t j = 0; j < norm.size(); j++) {
    for (int i = 0; i < recycled(); i++) small_[j].d[i] = d(i, static_cast<int>(j));
    small_[j].c[0] = norm[j];
    small_[j].factorise(0, 1);
  }
}

void GMRESDR::orthogonalise(ColorSpinorField &w, int n, int j)
{
  const blas::Matrix h = V_.subtract(w, n);
  for (int rhs = 0; rhs < w.rhs() && j >= 0; rhs++)
    for (int i = 0; i < n; i++) small_[rhs].H(i, j) += h(i, rhs);
}

CycleResult GMRESDR::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  std::vector<double> norm2(n);
  for (bool go_on = true; go_on;) {
    const int j = used_++;
    ColorSpinorField &w = V_[j + 1];
    A_(w, V_[j]);
    if (projection_) {
      const blas::Matrix h = projection_->take_from(w);
      for (std::size_t rhs = 0; rhs < n; rhs++)
        for (int i = 0; i < recycled(); i++) small_[rhs].B(i, j) = h(i, static_cast<int>(rhs));
    }
    for (int pass = 0; pass < 2; pass++) orthogonalise(w, j + 1, j);
    const std::vector<double> norm = normalise(w);
    for (std::size_t rhs = 0; rhs < n; rhs++) {
      Small &small = small_[rhs];
      small.H(j + 1, j) = norm[rhs];
      small.rotate(j, j + 2);
      norm2[rhs] = small.residual(j + 1, j + 2);
      if (rr_[rhs] > 0 && small.R(j, j) == 0.0) cycle.outcome[rhs] = Outcome::breakdown;
    }
    go_on = rr_.step(norm2, goal, cycle) && used_ < m_;
    for (const Outcome outcome : cycle.outcome) go_on = go_on && outcome == Outcome::running;
  }
  return cycle;
}

void GMRESDR::add_correction_to(ColorSpinorField &x)
{
  if (used_ == 0) return;
  const int n = static_cast<int>(rr_.count());
  blas::Matrix y(used_, n), back(recycled(), n);
  for (int rhs = 0; rhs < n; rhs++) {
    Small &small = small_[rhs];
    const std::vector<Complex> one = small.solution(used_);
    for (int i = 0; i < used_; i++) y(i, rhs) = one[i];
    for (int i = 0; i <= used_; i++)
      for (int j = 0; j < used_; j++) small.c[i] -= small.H(i, j) * one[j];
    for (int i = 0; i < recycled(); i++) {
      back(i, rhs) = std::exchange(small.d[i], 0);
      for (int j = 0; j < used_; j++) back(i, rhs) -= small.B(i, j) * one[j];
    }
    small.factorise(used_, used_ + 1);
  }
  blas::zero(*w_);
  V_.add(y, *w_);
  if (projection_) blas::block::multiply_add(*w_, projection_->U, back);
  blas::block::axpy_mixed(1.0, *w_, x);
}

bool GMRESDR::deflate()
{
  const int n = static_cast<int>(rr_.count());
  std::vector<blas::Matrix> P(n);
  for (int rhs = 0; rhs < n; rhs++)
    if (!small_[rhs].kept(k_, P[rhs])) return false;
  V_.rotate(P); // V_k+1 = V_m+1 P
  orthogonalise(V_[k_], k_, -1);
  normalise(V_[k_]);
  for (int rhs = 0; rhs < n; rhs++) { // H = P^dag H P_k
    const blas::Matrix &p = P[rhs];
    Small now(m_, recycled());
    for (int j = 0; j < k_; j++) {
      std::vector<Complex> column_of(m_ + 1);
      for (int i = 0; i <= m_; i++)
        for (int l = 0; l < m_; l++) column_of[i] += small_[rhs].H(i, l) * p(l, j);
      for (int i = 0; i <= k_; i++)
        for (int l = 0; l <= m_; l++) now.H(i, j) += std::conj(p(l, i)) * column_of[l];
      for (int i = 0; i < recycled(); i++)
        for (int l = 0; l < m_; l++) now.B(i, j) += small_[rhs].B(i, l) * p(l, j);
    }
    small_[rhs] = now;
  }
  used_ = k_;
  if (!left_) return true;
  ColorSpinorParam shape = V_[0].param();
  shape.rhs = k_;
  if (!left_->vectors || left_->vectors->precision() != shape.precision)
    left_->vectors = std::make_unique<ColorSpinorField>(shape);
  for (int j = 0; j < k_; j++) {
    ColorSpinorField to = left_->vectors->columns(j, 1);
    blas::copy(to, V_[j]);
  }
  left_->vectors->mark_written();
  left_->restarts++;
  return true;
}

void GMRESDR::replace(const ColorSpinorField &r)
{
  if (used_ == m_ && !deflate()) return start(r);
  const std::vector<double> rr = blas::block::norm2(r);
  const blas::Matrix c = V_.project(r, used_ + 1), d = projection_ ? projection_->part_of(r) : blas::Matrix();
  for (std::size_t rhs = 0; rhs < rr.size(); rhs++) {
    Small &small = small_[rhs];
    double inside = 0;
    for (int i = 0; i <= used_; i++) {
      small.c[i] = c(i, static_cast<int>(rhs));
      inside += std::norm(small.c[i]);
    }
    for (int i = 0; i < recycled(); i++) small.d[i] = d(i, static_cast<int>(rhs));
    if (!(rr[rhs] - inside <= outside * outside * rr[rhs])) return start(r);
    small.factorise(used_, used_ + 1);
  }
  rr_.begin(rr);
}

} // namespace quda
