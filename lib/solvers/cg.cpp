#include "solvers/cg.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"

namespace quda
{

namespace
{

  constexpr double nearly_orthogonal = 0.1; // <r', r> / |r'|^2

} // namespace

void CG::begin(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  blas::copy(*p_, r);
  rr_.begin(blas::block::norm2(*r_));
  if (shifted_) shifted_->start(*r_, rr_.norm2());
  if (window_) window_->start(*r_, rr_[0]);
}

std::vector<double> CG::curvature()
{
  Sums sums;
  const Factor factor = A_.factor();
  if (!factor.R) {
    const ColorSpinorField &p = *p_;
    A_.apply({.out = *product_, .in = p, .end = {.dot_with = &p}}, &sums);
    std::vector<double> pAp(sums.dot.size());
    std::transform(sums.dot.begin(), sums.dot.end(), pAp.begin(), [](const auto &dot) { return dot.real(); });
    return pAp;
  }
  factor.R->apply({.out = *product_, .in = *p_, .end = {.norm = true}}, &sums);
  if (factor.shifted()) {
    const std::vector<double> pp = blas::block::norm2(*p_);
    for (std::size_t j = 0; j < pp.size(); j++) sums.norm[j] += factor.sigma[j] * pp[j];
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
  ColorSpinorField &r = *r_;
  if (factor.shifted()) { // r after the step and p are orthogonal, so the shift adds nothing to the change
    std::vector<double> shift(alpha.size());
    for (std::size_t j = 0; j < shift.size(); j++) shift[j] = minus[j] * factor.sigma[j];
    blas::axpy(shift, *p_, r);
  }
  Sums sums;
  factor.R->apply(
      {.out = r, .in = *product_, .dagger = true, .end = {.x = &r, .b = minus, .norm = true, .change = true}}, &sums);
  norm2 = sums.norm;
  change = sums.change;
}

CycleResult CG::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  CycleTarget mine = goal; // columns whose shifted systems go on have no target
  std::vector<double> norm2(n), change(n), alpha(n), beta(n);
  owed_ = false;
  for (bool go_on = true; go_on;) {
    const std::vector<double> pAp = curvature();
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      alpha[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      if (pAp[j] <= 0) cycle.outcome[j] = pAp[j] < 0 ? Outcome::indefinite : Outcome::breakdown;
      bad = bad || pAp[j] <= 0;
      alpha[j] = rr_[j] / pAp[j];
    }
    rr_before_ = rr_.norm2();
    if (bad) return cycle;
    step_residual(alpha, norm2, change);
    if (shifted_) shifted_->residuals(alpha, norm2);
    if (window_) window_->step(alpha[0]);
    for (std::size_t j = 0; j < n; j++) mine.norm[j] = shifted_ && shifted_->wants_more(j) ? 0 : goal.norm[j];
    go_on = rr_.step(norm2, mine, cycle);
    for (std::size_t j = 0; j < n; j++) {
      const double overlap = std::abs(norm2[j] - change[j]);
      beta[j] = rr_before_[j] == 0                        ? 0
                : overlap <= nearly_orthogonal * norm2[j] ? norm2[j] / rr_before_[j]
                                                          : std::max(0.0, change[j] / rr_before_[j]);
    }
    if (!go_on) {
      x_.add(alpha, *p_);
      if (shifted_) shifted_->step();
      beta_ = beta;
      owed_ = true;
      break;
    }
    if (shifted_) shifted_->step(*r_, beta);
    if (window_) window_->residual(*r_, norm2[0], beta[0]);
    if (x_.same_precision()) {
      blas::axpyZpbx(alpha, *p_, *x_, *r_, beta);
    } else {
      x_.add(alpha, *p_);
      blas::xpay(*r_, beta, *p_);
    }
  }
  return cycle;
}

void CG::go_on()
{
  if (owed_) blas::xpay(*r_, beta_, *p_);
}

void CG::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
  const std::vector<double> rp = blas::block::redot(*r_, *p_);
  std::vector<double> along(rp.size()), beta(rp.size());
  for (std::size_t j = 0; j < rp.size(); j++) {
    along[j] = rr_[j] > 0 ? -rp[j] / rr_[j] : 0;
    beta[j] = rr_before_[j] > 0 ? rr_[j] / rr_before_[j] : 0;
  }
  blas::axpy(along, *r_, *p_);
  blas::xpay(*r_, beta, *p_);
  if (shifted_) shifted_->reorthogonalise(*r_, beta);
  if (window_) window_->residual(*r_, rr_[0], beta[0]);
}

bool CG::adopt_directions(KrylovMethod &before)
{
  CG &other = static_cast<CG &>(before);
  prepare(other.p_->rhs());
  blas::block::convert(*p_, *other.p_);
  rr_before_ = other.rr_before_;
  if (shifted_) shifted_->adopt_directions(A_.shape(p_->rhs()));
  return true;
}

} // namespace quda
