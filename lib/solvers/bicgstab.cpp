#include "solvers/bicgstab.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"

namespace quda
{

namespace
{

  bool fixed_point(Precision precision) { return precision == Precision::half || precision == Precision::quarter; }

  /// Relative size below which a scalar product is rounding alone: the square root of the unit of rounding.
  double negligible(Precision precision) { return precision == Precision::double_ ? 1e-8 : 1e-5; }

} // namespace

void BiCGstab::start(const ColorSpinorField &r)
{
  ColorSpinorParam shape = A_.shape(r.rhs());
  for (Columns *field : {&shadow_, &r_, &p_, &v_, &t_}) field->prepare(shape);
  if (fixed_point(shape.precision)) shape.precision = Precision::single;
  x_.prepare(shape);
  blas::copy(*shadow_, r);
  blas::copy(*r_, r);
  blas::copy(*p_, r);
  blas::zero(*x_);
  rr_ = shadow2_ = blas::block::norm2(*r_);
  rho_.assign(rr_.begin(), rr_.end());
  largest_.resize(rr_.size());
  std::transform(rr_.begin(), rr_.end(), largest_.begin(), [](double rr) { return std::sqrt(rr); });
}

void BiCGstab::add_to_solution(const Complexes &a, const Complexes &w)
{
  if (x_->precision() == p_->precision()) {
    blas::caxpy(a, *p_, *x_);
    blas::caxpy(w, *r_, *x_);
  } else {
    blas::block::caxpy_mixed(a, *p_, *x_);
    blas::block::caxpy_mixed(w, *r_, *x_);
  }
}

Cycle BiCGstab::run(const Goal &goal)
{
  const std::size_t n = rr_.size();
  const double small = negligible(A_.precision());
  Cycle cycle {.norm = std::vector<double>(n), .outcome = std::vector<Outcome>(n, Outcome::running)};
  const auto norms = [&] {
    std::transform(rr_.begin(), rr_.end(), cycle.norm.begin(), [](double rr) { return std::sqrt(rr); });
  };
  norms();
  const bool same = x_->precision() == p_->precision();
  Complexes a(n), w(n), minus_a(n), b(n), minus_bw(n);
  for (bool go_on = true; go_on;) {
    A_(*v_, *p_);
    const std::vector<blas::DotNorm> sv = blas::block::cDotNormB(*shadow_, *v_);
    bool bad = false;
    for (std::size_t j = 0; j < n; j++) {
      if (rr_[j] == 0) continue; // nothing is left of it: a = 0
      if (std::abs(sv[j].dot) <= small * std::sqrt(shadow2_[j] * sv[j].norm2) * small) {
        cycle.outcome[j] = Outcome::breakdown;
        bad = true;
      }
      a[j] = rho_[j] / sv[j].dot;
      minus_a[j] = -a[j];
    }
    if (bad) return cycle;
    blas::caxpy(minus_a, *v_, *r_);
    A_(*t_, *r_);
    const std::vector<blas::DotNorm> tr = blas::block::cDotNormA(*t_, *r_);
    for (std::size_t j = 0; j < n; j++) w[j] = tr[j].norm2 > 0 ? tr[j].dot / tr[j].norm2 : 0;
    std::vector<blas::DotNorm> sums;
    if (same) {
      sums = blas::block::caxpbypzYmbwDotNorm(a, *p_, w, *r_, *x_, *t_, *shadow_);
    } else {
      add_to_solution(a, w);
      Complexes minus_w(n);
      std::transform(w.begin(), w.end(), minus_w.begin(), [](auto z) { return -z; });
      blas::caxpy(minus_w, *t_, *r_);
      sums = blas::block::cDotNormB(*shadow_, *r_);
    }
    cycle.steps++;
    go_on = cycle.steps < goal.steps;
    for (std::size_t j = 0; j < n; j++) {
      const double norm = std::sqrt(sums[j].norm2);
      largest_[j] = std::max(largest_[j], norm);
      if (!(norm >= goal.norm[j]) || !(norm >= goal.delta * largest_[j])) go_on = false; // NaN comes back, too
      rr_[j] = sums[j].norm2;
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
    norms();
    if (goal.progress) goal.progress(cycle.steps, rr_);
    blas::cxpaypbz(*r_, minus_bw, *v_, b, *p_);
  }
  return cycle;
}

void BiCGstab::take(ColorSpinorField &x)
{
  blas::block::axpy_mixed(1.0, *x_, x);
  blas::zero(*x_);
}

void BiCGstab::replace(const ColorSpinorField &r)
{
  // p = r_old + ..., so it follows the change of r
  blas::axpy(-1.0, *r_, *p_);
  blas::axpy(1.0, r, *p_);
  blas::copy(*r_, r);
  const std::vector<blas::DotNorm> sums = blas::block::cDotNormB(*shadow_, *r_);
  for (std::size_t j = 0; j < rr_.size(); j++) {
    rho_[j] = sums[j].dot;
    rr_[j] = sums[j].norm2;
    largest_[j] = std::sqrt(rr_[j]);
  }
}

void BiCGstab::drop(int i)
{
  for (Columns *field : {&shadow_, &r_, &p_, &v_, &t_, &x_}) field->drop(i);
  for (std::vector<double> *list : {&shadow2_, &rr_, &largest_}) {
    std::swap((*list)[i], list->back());
    list->pop_back();
  }
  std::swap(rho_[i], rho_.back());
  rho_.pop_back();
}

} // namespace quda
