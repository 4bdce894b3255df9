#include "solvers/cg.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"

namespace quda
{

namespace
{

  constexpr double nearly_orthogonal = 0.1; // <r', r> / |r'|^2

  bool fixed_point(Precision precision) { return precision == Precision::half || precision == Precision::quarter; }

} // namespace

void CG::start(const ColorSpinorField &r)
{
  ColorSpinorParam shape = A_.shape(r.rhs());
  for (Columns *field : {&r_, &p_, &product_}) field->prepare(shape);
  if (fixed_point(shape.precision)) shape.precision = Precision::single;
  x_.prepare(shape);
  blas::copy(*r_, r);
  blas::copy(*p_, r);
  blas::zero(*x_);
  rr_ = blas::block::norm2(*r_);
  largest_.resize(rr_.size());
  std::transform(rr_.begin(), rr_.end(), largest_.begin(), [](double rr) { return std::sqrt(rr); });
}

std::vector<double> CG::curvature()
{
  Sums sums;
  const Factor factor = A_.factor();
  if (!factor.R) {
    const ColorSpinorField &p = *p_;
    A_.apply({.out = *product_, .in = p, .dot_with = &p}, &sums);
    std::vector<double> pAp(sums.dot.size());
    std::transform(sums.dot.begin(), sums.dot.end(), pAp.begin(), [](const auto &dot) { return dot.real(); });
    return pAp;
  }
  factor.R->apply({.out = *product_, .in = *p_, .norm = true}, &sums);
  if (factor.sigma != 0) {
    const std::vector<double> pp = blas::block::norm2(*p_);
    for (std::size_t j = 0; j < pp.size(); j++) sums.norm[j] += factor.sigma * pp[j];
  }
  return sums.norm;
}

void CG::step_residual(const std::vector<double> &alpha, std::vector<double> &norm2, std::vector<double> &change)
{
  std::vector<double> minus(alpha.size());
  std::transform(alpha.begin(), alpha.end(), minus.begin(), [](double a) { return -a; });
  const Factor factor = A_.factor();
  if (!factor.R) {
    const std::vector<blas::NormChange> sums = blas::block::axpyCGNorm(minus, *product_, *r_);
    for (std::size_t j = 0; j < sums.size(); j++) norm2[j] = sums[j].norm2, change[j] = sums[j].change;
    return;
  }
  std::vector<double> shift(alpha.size());
  std::transform(minus.begin(), minus.end(), shift.begin(), [&](double a) { return a * factor.sigma; });
  ColorSpinorField &r = *r_;
  Sums sums;
  factor.R->apply({.out = r,
                   .in = *product_,
                   .dagger = true,
                   .x = &r,
                   .y = factor.sigma != 0 ? &*p_ : nullptr,
                   .b = minus,
                   .c = shift,
                   .norm = true,
                   .change = true},
                  &sums);
  norm2 = sums.norm;
  change = sums.change;
}

void CG::add_to_solution(const std::vector<double> &alpha) { blas::block::axpy_mixed(alpha, *p_, *x_); }

Cycle CG::run(const Goal &goal)
{
  const std::size_t n = rr_.size();
  Cycle cycle {.norm = std::vector<double>(n), .outcome = std::vector<Outcome>(n, Outcome::running)};
  const bool same = x_->precision() == p_->precision();
  std::vector<double> norm2(n), change(n), beta(n);
  for (bool go_on = true; go_on;) {
    const std::vector<double> pAp = curvature();
    std::vector<double> alpha(n);
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      if (rr_[j] == 0) continue; // nothing is left of it: alpha = 0
      if (pAp[j] <= 0) cycle.outcome[j] = pAp[j] < 0 ? Outcome::indefinite : Outcome::breakdown;
      bad = bad || pAp[j] <= 0;
      alpha[j] = rr_[j] / pAp[j];
    }
    if (bad) {
      for (std::size_t j = 0; j < n; j++) cycle.norm[j] = std::sqrt(rr_[j]);
      rr_before_ = rr_;
      return cycle;
    }
    step_residual(alpha, norm2, change);
    cycle.steps++;
    go_on = cycle.steps < goal.steps;
    for (std::size_t j = 0; j < n; j++) {
      const double norm = cycle.norm[j] = std::sqrt(norm2[j]);
      largest_[j] = std::max(largest_[j], norm);
      if (!(norm >= goal.norm[j]) || !(norm >= goal.delta * largest_[j])) go_on = false; // NaN comes back, too
    }
    if (goal.progress) goal.progress(cycle.steps, norm2);
    rr_before_ = rr_;
    rr_ = norm2;
    if (!go_on) {
      add_to_solution(alpha);
      break;
    }
    for (std::size_t j = 0; j < n; j++) {
      const double overlap = std::abs(norm2[j] - change[j]);
      beta[j] = rr_before_[j] == 0                        ? 0
                : overlap <= nearly_orthogonal * norm2[j] ? norm2[j] / rr_before_[j]
                                                          : std::max(0.0, change[j] / rr_before_[j]);
    }
    if (same) {
      blas::axpyZpbx(alpha, *p_, *x_, *r_, beta);
    } else {
      add_to_solution(alpha);
      blas::xpay(*r_, beta, *p_);
    }
  }
  return cycle;
}

void CG::take(ColorSpinorField &x)
{
  blas::block::axpy_mixed(1.0, *x_, x);
  blas::zero(*x_);
}

void CG::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_ = blas::block::norm2(*r_);
  const std::vector<double> rp = blas::block::redot(*r_, *p_);
  std::vector<double> along(rr_.size()), beta(rr_.size());
  for (std::size_t j = 0; j < rr_.size(); j++) {
    along[j] = rr_[j] > 0 ? -rp[j] / rr_[j] : 0;
    beta[j] = rr_before_[j] > 0 ? rr_[j] / rr_before_[j] : 0;
    largest_[j] = std::sqrt(rr_[j]);
  }
  blas::axpy(along, *r_, *p_);
  blas::xpay(*r_, beta, *p_);
}

void CG::drop(int i)
{
  for (Columns *field : {&r_, &p_, &x_, &product_}) field->drop(i);
  for (std::vector<double> *list : {&rr_, &rr_before_, &largest_}) {
    std::swap((*list)[i], list->back());
    list->pop_back();
  }
}

} // namespace quda
