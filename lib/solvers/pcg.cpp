#include "solvers/pcg.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"

namespace quda
{

void PCG::precondition()
{
  if (!K_) {
    blas::copy(*z_, *r_);
    rz_ = rr_.norm2();
    return;
  }
  K_->apply(*z_, *r_);
  rz_ = blas::block::redot(*r_, *z_);
  for (std::size_t j = 0; j < rz_.size(); j++) {
    if (!(rr_[j] > 0) || (rz_[j] > 0 && std::isfinite(rz_[j]))) continue;
    ColorSpinorField z = z_->columns(static_cast<int>(j), 1);
    blas::copy(z, r_->columns(static_cast<int>(j), 1));
    rz_[j] = rr_[j];
  }
}

void PCG::begin(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
  precondition();
  blas::copy(*p_, *z_);
}

CycleResult PCG::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  std::vector<double> alpha(n), minus(n);
  owed_ = false;
  for (bool go_on = true; go_on;) {
    Sums sums;
    const ColorSpinorField &p = *p_;
    A_.apply({.out = *product_, .in = p, .end = {.dot_with = &p}}, &sums);
    bool bad = false;
    rz_before_ = rz_;
    for (std::size_t j = 0; j < n; j++) {
      alpha[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      const double pAp = sums.dot[j].real();
      if (pAp <= 0) cycle.outcome[j] = pAp < 0 ? Outcome::indefinite : Outcome::breakdown;
      bad = bad || pAp <= 0;
      alpha[j] = rz_[j] / pAp;
    }
    if (bad) return cycle;
    x_.add(alpha, *p_);
    std::transform(alpha.begin(), alpha.end(), minus.begin(), [](double a) { return -a; });
    go_on = rr_.step(blas::block::axpyNorm2(minus, *product_, *r_), goal, cycle);
    alpha_ = alpha;
    owed_ = !go_on;
    if (go_on) renew_direction();
  }
  return cycle;
}

void PCG::renew_direction()
{
  precondition();
  const std::vector<double> zq = blas::block::redot(*product_, *z_);
  std::vector<double> beta(zq.size());
  for (std::size_t j = 0; j < zq.size(); j++) beta[j] = rz_before_[j] > 0 ? -alpha_[j] * zq[j] / rz_before_[j] : 0;
  blas::xpay(*z_, beta, *p_);
}

void PCG::go_on()
{
  if (owed_) renew_direction();
}

void PCG::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
  precondition();
  const std::vector<double> rp = blas::block::redot(*r_, *p_);
  std::vector<double> along(rp.size()), beta(rp.size());
  for (std::size_t j = 0; j < rp.size(); j++) {
    along[j] = rz_[j] > 0 ? -rp[j] / rz_[j] : 0;
    beta[j] = rz_before_[j] > 0 ? rz_[j] / rz_before_[j] : 0;
  }
  blas::axpy(along, *z_, *p_);
  blas::xpay(*z_, beta, *p_);
}

} // namespace quda
