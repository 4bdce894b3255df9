#include "solvers/cg3.h"

#include <algorithm>

namespace quda
{

void CG3::begin(const ColorSpinorField &r)
{
  for (ActiveColumns *field : {&d_, &e_}) blas::zero(**field);
  before_.assign(static_cast<std::size_t>(r.rhs()), {});
  replace(r);
}

void CG3::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
}

CycleResult CG3::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  std::vector<double> of_r(n), of_product(n), of_before(n);
  for (bool go_on = true; go_on;) {
    Sums sums;
    const ColorSpinorField &r = *r_;
    A_.apply({.out = *product_, .in = r, .end = {.dot_with = &r}}, &sums);
    bool bad = false;
    std::vector<Before> now(n);
    for (std::size_t j = 0; j < n; j++) {
      of_r[j] = of_product[j] = of_before[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      const double rAr = sums.dot[j].real();
      if (rAr <= 0) cycle.outcome[j] = rAr < 0 ? Outcome::indefinite : Outcome::breakdown;
      bad = bad || rAr <= 0;
      const Before &before = before_[j];
      const double g = rr_[j] / rAr;
      const double left = before.w > 0 ? 1 - g / before.g * (rr_[j] / before.norm2) / before.w : 1;
      const double w = left > 0 ? 1 / left : 1;
      of_r[j] = w * g;
      of_product[j] = -w * g;
      of_before[j] = w - 1;
      now[j] = {g, w, rr_[j]};
    }
    if (bad) return cycle;
    before_ = std::move(now);
    blas::axpby(of_r, r, of_before, *d_);
    blas::axpby(of_product, *product_, of_before, *e_);
    x_.add(blas::Coefficients(1.0), *d_);
    go_on = rr_.step(blas::block::axpyNorm2(1.0, *e_, *r_), goal, cycle);
  }
  return cycle;
}

} // namespace quda
