#include "solvers/krylov_method.h"

#include <algorithm>
#include <cmath>

#include "core/built.h"
#include "fields/field_together.h"

namespace quda
{

void ActiveColumns::prepare(const ColorSpinorParam &shape)
{
  const auto fits = [&](ColorSpinorParam is) {
    if (is.rhs < shape.rhs || is.rhs >= 2 * shape.rhs) return false;
    is.rhs = shape.rhs;
    return is.precision == shape.precision && same_shape(is, shape);
  };
  part_.reset();
  if (!whole_ || !fits(whole_->param())) whole_ = std::make_unique<ColorSpinorField>(field_together(shape));
  if (whole_->rhs() > shape.rhs) part_ = std::make_unique<ColorSpinorField>(whole_->columns(0, shape.rhs));
  now_ = part_ ? part_.get() : whole_.get();
}

void ActiveColumns::view(int first, int count)
{
  part_.reset();
  if (first > 0 || count < whole_->rhs()) part_ = std::make_unique<ColorSpinorField>(whole_->columns(first, count));
  now_ = part_ ? part_.get() : whole_.get();
}

void ActiveColumns::exchange(int i, int j)
{
  if (i != j) blas::block::swap(*whole_, i, j);
}

void ActiveColumns::drop(int i)
{
  const int last = now_->rhs() - 1;
  exchange(i, last);
  if (last > 0) view(0, last);
}

void Correction::prepare(ColorSpinorParam shape)
{
  const Precision of_fields = shape.precision;
  if (of_fields == Precision::half || of_fields == Precision::quarter) shape.precision = next_better(Precision::half);
  same_ = shape.precision == of_fields;
  x_.prepare(shape);
  blas::zero(*x_);
}

void Correction::add(const blas::Coefficients &a, const ColorSpinorField &p)
{
  if (same_)
    blas::axpy(a, p, *x_);
  else
    blas::block::axpy_mixed(a, p, *x_);
}

void Correction::add(const blas::ComplexCoefficients &a, const ColorSpinorField &p)
{
  if (same_)
    blas::caxpy(a, p, *x_);
  else
    blas::block::caxpy_mixed(a, p, *x_);
}

void Correction::add(const blas::Matrix &a, blas::FieldList p)
{
  if (same_) return blas::block::axpy_many(a, p, *x_);
  for (std::size_t k = 0; k < p.size(); k++)
    blas::block::caxpy_mixed(blas::ComplexCoefficients(a.row(static_cast<int>(k))), *p[k], *x_);
}

void Correction::move_to(ColorSpinorField &x)
{
  blas::block::axpy_mixed(1.0, *x_, x);
  blas::zero(*x_);
}

void Residuals::begin(std::vector<double> norm2)
{
  norm2_.assign(norm2.begin(), norm2.end());
  largest_.resize(norm2_.size());
  std::transform(norm2_.begin(), norm2_.end(), largest_.begin(), [](double rr) { return std::sqrt(rr); });
}

CycleResult Residuals::cycle() const
{
  CycleResult cycle {.norm = std::vector<double>(count()),
                     .outcome = std::vector<Outcome>(count(), Outcome::running),
                     .back = std::vector<char>(count())};
  std::transform(norm2_.begin(), norm2_.end(), cycle.norm.begin(), [](double rr) { return std::sqrt(rr); });
  return cycle;
}

bool Residuals::step(std::vector<double> norm2, const CycleTarget &goal, CycleResult &cycle, int steps)
{
  norm2_.assign(norm2.begin(), norm2.end());
  cycle.steps += steps;
  bool any = false, every = true;
  for (std::size_t j = 0; j < count(); j++) {
    const double norm = cycle.norm[j] = std::sqrt(norm2_[j]);
    largest_[j] = std::max(largest_[j], norm);
    const bool far = !(norm >= goal.norm[j]) || !(norm >= goal.delta * largest_[j]);
    cycle.back[j] = far;
    any = any || (goal.all ? !std::isfinite(norm) : far);
    every = every && far;
  }
  if (goal.progress) goal.progress(cycle.steps, norm2_);
  return cycle.steps < goal.steps && !any && !every;
}

} // namespace quda
