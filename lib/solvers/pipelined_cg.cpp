#include "solvers/pipelined_cg.h"

#include <algorithm>
#include <cmath>

namespace quda
{

void PipelinedCG::begin(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  A_(*w_, *r_);
  for (ActiveColumns *field : {&p_, &s_, &z_}) blas::zero(**field);
  rr_.begin(blas::block::norm2(*r_));
  for (std::vector<double> *list : {&rr_before_, &ps_}) list->assign(rr_.count(), 0);
}

CycleResult PipelinedCG::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  CycleTarget mine = goal;
  mine.delta = std::max(goal.delta, farthest);
  std::vector<double> norm2(n), alpha(n), next(n), minus(n), beta(n);
  for (bool first = true;; first = false) {
    blas::block::DotsUnderWay sums(*w_, *r_, *s_);
    A_(*q_, *w_);
    const auto found = sums.finish();
    if (!first) {
      rr_before_ = rr_.norm2();
      std::transform(found.begin(), found.end(), norm2.begin(), [](const auto &dots) { return dots.yy; });
      if (!rr_.step(norm2, mine, cycle)) break;
    }
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      const double rAr = found[j].xy.real(), sr = found[j].zy;
      beta[j] = rr_before_[j] > 0 ? rr_[j] / rr_before_[j] : 0;
      if (alpha[j] > 0 && beta[j] > 0) {
        const double change = -alpha[j] * sr / rr_before_[j]; // <r, r - r before> / |r before|^2
        if (!(std::abs(change - beta[j]) <= nearly_orthogonal * beta[j])) beta[j] = std::max(0.0, change);
      }
      ps_[j] = rAr + beta[j] * (2 * sr + beta[j] * ps_[j]);
      next[j] = minus[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      if (ps_[j] <= 0) cycle.outcome[j] = rAr < 0 ? Outcome::indefinite : Outcome::breakdown;
      bad = bad || ps_[j] <= 0;
      next[j] = rr_[j] / ps_[j];
      minus[j] = -next[j];
    }
    if (bad) break;
    if (x_.same_precision()) {
      blas::axpyZpbx(alpha, *p_, *x_, *r_, beta);
    } else {
      x_.add(alpha, *p_);
      blas::xpay(*r_, beta, *p_);
    }
    alpha.swap(next);
    blas::xpay(*w_, beta, *s_);
    blas::xpay(*q_, beta, *z_);
    blas::axpy(minus, *s_, *r_);
    blas::axpy(minus, *z_, *w_);
  }
  x_.add(alpha, *p_);
  return cycle;
}

void PipelinedCG::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
  std::vector<double> along = blas::block::redot(*r_, *p_);
  for (std::size_t j = 0; j < along.size(); j++) along[j] = rr_[j] > 0 ? -along[j] / rr_[j] : 0;
  blas::axpy(along, *r_, *p_);
  A_(*w_, *r_);
  A_(*s_, *p_);
  A_(*z_, *s_);
  ps_ = blas::block::redot(*p_, *s_);
}

} // namespace quda
