#include "solvers/descent.h"

#include <algorithm>

namespace quda
{

void Descent::begin(const ColorSpinorField &r) { replace(r); }

void Descent::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
}

CycleResult Descent::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  const bool steepest = step_ == Step::steepest, positive = A_.symmetry() == Symmetry::positive;
  CycleResult cycle = rr_.cycle();
  std::vector<blas::Complex> a(n), minus(n);
  for (bool go_on = true; go_on;) {
    Sums sums; // <r, A r> and |A r|^2
    ColorSpinorField &r = *r_;
    A_.apply({.out = *product_, .in = r, .end = {.dot_with = &r, .norm = true}}, &sums);
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      a[j] = minus[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      const blas::Complex rAr = sums.dot[j];
      const bool negative = steepest && positive && rAr.real() < 0;
      if (negative || rAr == 0.0) {
        cycle.outcome[j] = negative ? Outcome::indefinite : Outcome::breakdown;
        bad = true;
      }
      a[j] = omega_ * (steepest ? rr_[j] / rAr : std::conj(rAr) / sums.norm[j]);
      minus[j] = -a[j];
    }
    if (bad) return cycle;
    if (x_.same_precision()) {
      go_on = rr_.step(blas::block::caxpyXmazNorm(a, r, *x_, *product_), goal, cycle);
    } else {
      x_.add(a, r);
      go_on = rr_.step(blas::block::caxpyNorm(minus, *product_, r), goal, cycle);
    }
  }
  return cycle;
}

} // namespace quda
