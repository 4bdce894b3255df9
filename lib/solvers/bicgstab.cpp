#include "solvers/bicgstab.h"

#include <algorithm>
#include <cmath>

#include "solvers/shadow.h"

namespace quda
{

void BiCGstab::begin(const ColorSpinorField &r)
{
  for (ActiveColumns *field : {&r_, &p_}) blas::copy(**field, r);
  const bool another = choose_shadow(*shadow_, r, broken_);
  shadow2_ = blas::block::norm2(*shadow_);
  if (another) return begin_sums();
  rho_.assign(shadow2_.begin(), shadow2_.end());
  rr_.begin(shadow2_);
}

void BiCGstab::begin_sums()
{
  std::vector<double> norm2;
  rho_.clear();
  for (const blas::DotNorm &one : blas::block::cDotNormB(*shadow_, *r_)) {
    rho_.push_back(one.dot);
    norm2.push_back(one.norm2);
  }
  rr_.begin(norm2);
}

CycleResult BiCGstab::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  const double small = negligible(A_.precision());
  CycleResult cycle = rr_.cycle();
  Complexes a(n), w(n), minus(n), b(n), minus_bw(n);
  std::vector<double> norm2(n);
  for (bool go_on = true; go_on;) {
    Sums sv, rt; // <s, v> and |v|^2, <r, t> and |t|^2
    A_.apply({.out = *v_, .in = *p_, .end = {.dot_with = &*shadow_, .norm = true}}, &sv);
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      a[j] = minus[j] = 0;
      if (rr_[j] == 0) continue; // this right-hand side is solved
      if (std::abs(sv.dot[j]) <= small * std::sqrt(shadow2_[j] * sv.norm[j]) * small) {
        cycle.outcome[j] = Outcome::breakdown;
        bad = true;
      }
      a[j] = rho_[j] / sv.dot[j];
      minus[j] = -a[j];
    }
    if (bad) {
      for (std::size_t j = 0; j < n; j++) broken_[j].came_back(cycle.outcome[j]);
      return cycle;
    }
    for (Breakdowns &one : broken_) one.steps++;
    blas::caxpy(minus, *v_, *r_);
    A_.apply({.out = *t_, .in = *r_, .end = {.dot_with = &*r_, .norm = true}}, &rt);
    for (std::size_t j = 0; j < n; j++) w[j] = rt.norm[j] > 0 ? std::conj(rt.dot[j]) / rt.norm[j] : 0;
    std::vector<blas::DotNorm> sums;
    if (x_.same_precision()) {
      sums = blas::block::caxpbypzYmbwDotNorm(a, *p_, w, *r_, *x_, *t_, *shadow_);
    } else {
      x_.add(a, *p_);
      x_.add(w, *r_);
      std::transform(w.begin(), w.end(), minus.begin(), [](auto z) { return -z; });
      blas::caxpy(minus, *t_, *r_);
      sums = blas::block::cDotNormB(*shadow_, *r_);
    }
    std::transform(sums.begin(), sums.end(), norm2.begin(), [](const blas::DotNorm &one) { return one.norm2; });
    go_on = rr_.step(norm2, goal, cycle);
    for (std::size_t j = 0; j < n; j++) {
      b[j] = 0;
      if (rr_[j] > 0) {
        if (w[j] == 0.0 || std::abs(sums[j].dot) <= small * small * std::sqrt(shadow2_[j] * rr_[j])) {
          cycle.outcome[j] = Outcome::breakdown;
          go_on = false;
        } else {
          b[j] = sums[j].dot / rho_[j] * (a[j] / w[j]);
        }
      }
      minus_bw[j] = -b[j] * w[j];
      rho_[j] = sums[j].dot;
    }
    blas::cxpaypbz(*r_, minus_bw, *v_, b, *p_);
  }
  return cycle;
}

void BiCGstab::replace(const ColorSpinorField &r)
{
  // p = r_old + ..., so it follows the change of r
  blas::axpy(-1.0, *r_, *p_);
  blas::axpy(1.0, r, *p_);
  blas::copy(*r_, r);
  broken_.assign(broken_.size(), {});
  begin_sums();
}

} // namespace quda
