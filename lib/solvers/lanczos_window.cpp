#include "solvers/lanczos_window.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "solvers/dense_eigen.h"

namespace quda
{

using blas::Complex;
using blas::Matrix;

namespace
{

  constexpr double nothing_left = 1e-8; // remainder of a unit column in the span of the columns before it

  /// The columns of `a` made orthonormal; those in the span of earlier ones are left out.
  Matrix orthonormal(const Matrix &a)
  {
    const int m = a.rows();
    Matrix Q(m, a.columns());
    int kept = 0;
    for (int j = 0; j < a.columns(); j++) {
      std::vector<Complex> v;
      for (int i = 0; i < m; i++) v.push_back(a(i, j));
      for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < kept; k++) {
          Complex h = 0;
          for (int i = 0; i < m; i++) h += std::conj(Q(i, k)) * v[static_cast<std::size_t>(i)];
          for (int i = 0; i < m; i++) v[static_cast<std::size_t>(i)] -= h * Q(i, k);
        }
      double norm2 = 0;
      for (const Complex &one : v) norm2 += std::norm(one);
      if (!(norm2 > nothing_left * nothing_left)) continue;
      for (int i = 0; i < m; i++) Q(i, kept) = v[static_cast<std::size_t>(i)] / std::sqrt(norm2);
      kept++;
    }
    return part(Q, 0, 0, m, kept);
  }

  Matrix adjoint(const Matrix &a)
  {
    Matrix b(a.columns(), a.rows());
    for (int i = 0; i < b.rows(); i++)
      for (int j = 0; j < b.columns(); j++) b(i, j) = std::conj(a(j, i));
    return b;
  }

} // namespace

LanczosWindow::LanczosWindow(int m, int n)
    : m_(m)
    , n_(n)
    , V_(std::max(m, 1))
    , T_(std::max(m, 1), std::max(m, 1))
{
  if (n < 1 || 2 * static_cast<long long>(n) >= m || m > blas::VectorSet::most_rotated())
    fail(ErrorKind::bad_argument,
         text("LanczosWindow: %d Ritz vectors of a window of %d; allowed: at least 1, fewer than half of the window, "
              "which is %d at most",
              n, m, blas::VectorSet::most_rotated()));
}

void LanczosWindow::start(const ColorSpinorField &r, double norm2)
{
  if (r.rhs() != 1)
    fail(ErrorKind::bad_argument, text("LanczosWindow::start: %d right-hand sides; allowed: 1", r.rhs()));
  open_ = restarts_ == 0;
  if (!open_) return;
  ColorSpinorParam shape = r.param();
  shape.create = Create::allocate;
  V_.prepare(shape);
  T_ = Matrix(m_, m_);
  filled_ = known_ = 0;
  alpha_ = norm_ = beta_ = 0;
  last_.clear();
  residual(r, norm2, 0);
}

void LanczosWindow::step(double alpha)
{
  if (!open_) return;
  T_(filled_ - 1, filled_ - 1) = 1 / alpha + beta_;
  known_ = filled_;
  alpha_ = alpha;
}

void LanczosWindow::residual(const ColorSpinorField &r, double norm2, double beta)
{
  if (!open_) return;
  const double norm = std::sqrt(norm2);
  open_ = norm > 0 && std::isfinite(norm);
  if (!open_) return;
  if (known_ == m_) restart();
  const double coupling = known_ > 0 ? -norm / (alpha_ * norm_) : 0;
  for (std::size_t i = 0; i < last_.size(); i++) {
    const int row = static_cast<int>(i);
    T_(row, filled_) = coupling * last_[i];
    T_(filled_, row) = std::conj(T_(row, filled_));
  }
  blas::block::convert(V_[filled_], r, 1 / norm);
  last_.assign(static_cast<std::size_t>(filled_ + 1), 0);
  last_.back() = 1;
  filled_++;
  norm_ = norm;
  beta_ = alpha_ > 0 ? beta / alpha_ : 0;
}

void LanczosWindow::restart()
{
  const HermitianPairs all = hermitian_pairs(T_), without_last = hermitian_pairs(part(T_, 0, 0, m_ - 1, m_ - 1));
  Matrix both(m_, 2 * n_);
  for (int j = 0; j < n_; j++) {
    for (int i = 0; i < m_; i++) both(i, j) = all.vectors(i, j);
    for (int i = 0; i < m_ - 1; i++) both(i, n_ + j) = without_last.vectors(i, j);
  }
  const Matrix Q = orthonormal(both);
  const HermitianPairs kept = hermitian_pairs(adjoint(Q) * (T_ * Q));
  const Matrix turn = Q * kept.vectors;
  V_.rotate(turn);
  T_ = Matrix(m_, m_);
  filled_ = known_ = turn.columns();
  last_.clear();
  for (int i = 0; i < filled_; i++) {
    T_(i, i) = kept.values[static_cast<std::size_t>(i)];
    last_.push_back(std::conj(turn(m_ - 1, i)));
  }
  restarts_++;
}

std::unique_ptr<ColorSpinorField> LanczosWindow::ritz(std::vector<double> *values) const
{
  const int n = std::min(n_, known_);
  if (n == 0) return nullptr;
  const HermitianPairs pairs = hermitian_pairs(part(T_, 0, 0, known_, known_));
  ColorSpinorParam shape = V_[0].param();
  shape.create = Create::allocate;
  shape.rhs = n;
  auto vectors = std::make_unique<ColorSpinorField>(shape);
  blas::zero(*vectors);
  for (int j = 0; j < n; j++) {
    ColorSpinorField to = vectors->columns(j, 1);
    V_.add(part(pairs.vectors, 0, j, known_, 1), to);
  }
  if (values) values->assign(pairs.values.begin(), pairs.values.begin() + n);
  return vectors;
}

} // namespace quda
