#include "solvers/deflation.h"

#include <algorithm>
#include <cmath>

#include "core/built.h"
#include "core/error.h"
#include "core/log.h"
#include "ops/blas/block.h"
#include "solvers/dense_eigen.h"

namespace quda
{

namespace
{

  constexpr int together = 16;   // vectors converted to the solve's precision at a time
  constexpr double enough = 0.5; // part of |v|^2 left after orthogonalisation that makes a second pass unnecessary

  blas::Matrix negative(blas::Matrix c)
  {
    for (int k = 0; k < c.rows(); k++)
      for (int j = 0; j < c.columns(); j++) c(k, j) = -c(k, j);
    return c;
  }

} // namespace

EigenReport DeflationSpace::find(const LinearOperator &H, const LinearOperator &inner, const EigenOptions &options,
                                 Precision kept, const std::string &of)
{
  clear();
  EigenSolver solver(H, inner, options);
  EigenReport report = solver.solve();
  ColorSpinorParam shape = H.shape(options.pairs);
  shape.precision = at_least(kept);
  vectors_ = std::make_unique<ColorSpinorField>(shape);
  for (int i = 0; i < options.pairs; i++) {
    ColorSpinorField to = vectors_->columns(i, 1);
    blas::block::convert(to, solver.vector(i));
  }
  size_ = options.pairs;
  of_ = of;
  project(H);
  use(size());
  return report;
}

int DeflationSpace::append(const LinearOperator &H, const ColorSpinorField &fresh, int most, Precision kept,
                           const std::string &of)
{
  if (size_ > 0 && (of_ != of || vectors_->rhs() != most))
    fail(ErrorKind::bad_argument, text("DeflationSpace::append: %d vectors of %s with room for %d; there are %d of %s "
                                       "with room for %d",
                                       fresh.rhs(), of.c_str(), most, size_, of_.c_str(), vectors_->rhs()));
  if (size_ == 0) {
    ColorSpinorParam shape = H.shape(most);
    shape.precision = at_least(kept);
    vectors_ = std::make_unique<ColorSpinorField>(shape);
    of_ = of;
  }
  const int before = size_;
  for (int i = 0; i < fresh.rhs() && size_ < most; i++) {
    ColorSpinorField to = vectors_->columns(size_, 1);
    blas::block::convert(to, fresh.columns(i, 1));
    if (orthogonalise_next()) size_++;
  }
  project_from(H, before);
  if (size_ > 0) use(size_);
  return size_ - before;
}

bool DeflationSpace::orthogonalise_next()
{
  ColorSpinorField v = vectors_->columns(size_, 1);
  double norm2 = blas::block::norm2(v)[0];
  if (!(norm2 > 0) || !std::isfinite(norm2)) return false;
  blas::ax(1 / std::sqrt(norm2), v);
  for (double left = 1; size_ > 0;) {
    const ColorSpinorField V = vectors_->columns(0, size_);
    blas::Matrix h = blas::block::gram_rhs(V, v);
    for (int k = 0; k < size_; k++) h(k, 0) = -h(k, 0);
    blas::block::multiply_add(v, V, h);
    norm2 = blas::block::norm2(v)[0];
    left *= std::sqrt(norm2);
    if (!(left > negligible(vectors_->precision()))) return false;
    blas::ax(1 / std::sqrt(norm2), v);
    if (norm2 > enough) break;
  }
  return true;
}

std::vector<double> DeflationSpace::project_from(const LinearOperator &H, int first)
{
  const int n = size();
  precision_ = H.precision();
  const bool as_they_are = vectors_->precision() == precision_;
  const int most = std::min(n, together);
  std::vector<double> residuals;
  blas::Matrix all(n, n);
  for (int i = 0; i < first; i++)
    for (int j = 0; j < first; j++) all(i, j) = projected_(i, j);
  if (first < n) {
    ColorSpinorField left(H.shape(most)), right(H.shape(most)), product(H.shape(most));
    for (int j = first; j < n; j += together) {
      const int columns = std::min(n - j, together);
      ColorSpinorField v = right.columns(0, columns), Hv = product.columns(0, columns);
      blas::block::convert(v, vectors_->columns(j, columns));
      H(Hv, v);
      for (int i = first > 0 ? 0 : j; i < n;) {
        const int rows = as_they_are ? n - i : std::min(n - i, together);
        if (!as_they_are) {
          ColorSpinorField w = left.columns(0, rows);
          blas::block::convert(w, vectors_->columns(i, rows));
        }
        const blas::Matrix some =
            blas::block::gram_rhs(as_they_are ? vectors_->columns(i, rows) : left.columns(0, rows), Hv);
        for (int k = 0; k < rows; k++)
          for (int l = 0; l < columns; l++) {
            if (i + k < first) all(j + l, i + k) = std::conj(some(k, l));
            all(i + k, j + l) = some(k, l);
          }
        i += rows;
      }
      const std::vector<double> vv = blas::block::norm2(v), pp = blas::block::norm2(Hv);
      for (int l = 0; l < columns; l++) {
        const auto at = static_cast<std::size_t>(l);
        const double rest = pp[at] / vv[at] - std::norm(all(j + l, j + l) / vv[at]);
        residuals.push_back(std::sqrt(std::max(rest, 0.0)));
      }
    }
  }
  projected_ = std::move(all);
  if (factor_.size() > 0) use(factor_.size());
  return residuals;
}

std::vector<double> DeflationSpace::turn(const LinearOperator &H)
{
  const int n = size();
  blas::Matrix whole(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      whole(i, j) = i == j ? projected_(i, i).real() : projected_(i, j);
      whole(j, i) = std::conj(whole(i, j));
    }
  const HermitianPairs pairs = hermitian_pairs(whole);
  auto turned = std::make_unique<ColorSpinorField>(vectors_->param());
  blas::zero(*turned);
  ColorSpinorField to = turned->columns(0, n);
  blas::block::multiply_add(to, vectors_->columns(0, n), pairs.vectors);
  vectors_ = std::move(turned);
  return project_from(H, 0);
}

std::vector<double> DeflationSpace::values() const
{
  std::vector<double> values;
  for (int i = 0; i < size_; i++) values.push_back(projected_(i, i).real());
  return values;
}

double DeflationSpace::off_orthonormal() const
{
  if (size_ == 0) return 0;
  const ColorSpinorField V = vectors_->columns(0, size_);
  const blas::Matrix G = blas::block::gram_rhs(V, V);
  double most = 0;
  for (int i = 0; i < size_; i++)
    for (int j = 0; j < size_; j++) most = std::max(most, std::abs(G(i, j) - (i == j ? 1.0 : 0.0)));
  return most;
}

void DeflationSpace::use(int n)
{
  if (n < 1 || n > size())
    fail(ErrorKind::bad_argument, text("DeflationSpace::use: n = %d; allowed: 1 to %d", n, size()));
  factor_ = GramFactor(projected_, n, dependent(precision_));
}

blas::Matrix DeflationSpace::along(const ColorSpinorField &V, const ColorSpinorField &s)
{
  const ColorSpinorField *source = &s;
  ColorSpinorParam shape = s.param();
  shape.precision = V.precision();
  if (shape.precision != s.precision()) {
    source_.prepare(shape);
    blas::block::convert(*source_, s);
    source = &*source_;
  }
  return blas::block::gram_rhs(V.columns(0, used()), *source);
}

blas::Matrix DeflationSpace::solved(blas::Matrix h) const
{
  for (int j = 0; j < h.columns(); j++) {
    std::vector<blas::Complex> one;
    for (int k = 0; k < h.rows(); k++) one.push_back(h(k, j));
    one = factor_.solve(std::move(one));
    for (int k = 0; k < h.rows(); k++) h(k, j) = one[static_cast<std::size_t>(k)];
  }
  return h;
}

void DeflationSpace::add(const ColorSpinorField &V, const blas::Matrix &c, ColorSpinorField &x)
{
  ColorSpinorParam shape = x.param();
  shape.precision = V.precision();
  change_.prepare(shape);
  blas::zero(*change_);
  blas::block::multiply_add(*change_, V.columns(0, used()), c);
  blas::block::axpy_mixed(1.0, *change_, x);
}

void DeflationSpace::correct(ColorSpinorField &x, const ColorSpinorField &s)
{
  add(*vectors_, solved(along(*vectors_, s)), x);
}

void DeflationSpace::keep_images(const LinearOperator &A)
{
  const int n = size(), most = std::min(n, together);
  images_ = std::make_unique<ColorSpinorField>(vectors_->param());
  ColorSpinorField in(A.shape(most)), out(A.shape(most));
  for (int j = 0; j < n; j += together) {
    const int columns = std::min(n - j, together);
    ColorSpinorField v = in.columns(0, columns), Av = out.columns(0, columns), to = images_->columns(j, columns);
    blas::block::convert(v, vectors_->columns(j, columns));
    A(Av, v);
    blas::block::convert(to, Av);
  }
  images_->mark_written();
}

void DeflationSpace::correct_by_images(ColorSpinorField &x, ColorSpinorField &r)
{
  blas::Matrix c = solved(along(*images_, r));
  add(*vectors_, c, x);
  add(*images_, negative(std::move(c)), r);
}

void DeflationSpace::correct_adjoint(ColorSpinorField &y, const ColorSpinorField &s)
{
  add(*images_, solved(along(*vectors_, s)), y);
}

void DeflationSpace::take_out(ColorSpinorField &x, bool images)
{
  if (images)
    add(*images_, negative(solved(along(*images_, x))), x);
  else
    add(*vectors_, negative(along(*vectors_, x)), x);
}

double WithoutModes::flops(int rhs) const
{
  const ColorSpinorField &v = modes_.vectors();
  return A_.flops(rhs) + 8.0 * modes_.used() * rhs * static_cast<double>(v.sites()) * v.spins() * v.colors() * 2;
}

void WithoutModes::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  if (dagger) {
    ColorSpinorField rest = scratch(1, in.rhs());
    blas::copy(rest, in);
    modes_.take_out(rest, !of_adjoint_);
    A_(out, rest, true);
  } else {
    A_(out, in);
    modes_.take_out(out, !of_adjoint_);
  }
}

} // namespace quda
