#include "solvers/gcr.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ops/blas/block.h"

namespace quda
{

GCR::GCR(const LinearOperator &A, int restart, Preconditioner *K)
    : KrylovMethod(A, "GCR")
    , restart_(restart)
    , K_(K)
    , p_(this, std::max(restart, 1))
    , q_(this, std::max(restart, 1))
{
  if (restart < 1)
    fail(ErrorKind::bad_argument, text("GCR: %d steps between restarts; allowed: a positive number", restart));
}

void GCR::begin(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
  used_ = 0;
  along_.assign(rr_.count(), std::vector<Complex>(restart_));
  triangle_.assign(rr_.count(), std::vector<Complex>(static_cast<std::size_t>(restart_) * restart_));
}

bool GCR::leave_useless(ColorSpinorField &p, const std::vector<double> &product2)
{
  bool any = false;
  for (std::size_t j = 0; j < product2.size(); j++) {
    if (!(rr_[j] > 0) || (product2[j] > 0 && std::isfinite(product2[j]))) continue;
    ColorSpinorField direction = p.columns(static_cast<int>(j), 1);
    blas::copy(direction, r_->columns(static_cast<int>(j), 1));
    any = true;
  }
  return any;
}

CycleResult GCR::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  CycleResult cycle = rr_.cycle();
  waits_ = false;
  for (bool go_on = true; go_on;) {
    const int k = used_;
    ColorSpinorField &p = p_[k], &q = q_[k];
    if (K_)
      K_->apply(p, *r_);
    else
      blas::copy(p, *r_);
    Sums product;
    A_.apply({.out = q, .in = p, .end = {.norm = true}}, &product);
    if (K_ && leave_useless(p, product.norm)) A_.apply({.out = q, .in = p, .end = {.norm = true}}, &product);
    const auto [h, qq] = q_.orthogonalise(q, k, product.norm);
    std::vector<double> inverse(n);
    for (std::size_t j = 0; j < n; j++) {
      for (int i = 0; i < k; i++) triangle_[j][static_cast<std::size_t>(k) * restart_ + i] = h(i, static_cast<int>(j));
      inverse[j] = qq[j] > 0 ? 1 / std::sqrt(qq[j]) : 0;
      if (!(qq[j] > 0) && rr_[j] > 0) cycle.outcome[j] = Outcome::breakdown;
      triangle_[j][static_cast<std::size_t>(k) * restart_ + k] = qq[j] > 0 ? std::sqrt(qq[j]) : 1;
    }
    blas::ax(inverse, q);
    const std::vector<Complex> g = blas::block::cdot(q, *r_);
    std::vector<Complex> minus(n);
    for (std::size_t j = 0; j < n; j++) {
      along_[j][k] = g[j];
      minus[j] = -g[j];
    }
    used_++;
    go_on = rr_.step(blas::block::caxpyNorm(minus, q, *r_), goal, cycle) && used_ < restart_;
    for (const Outcome outcome : cycle.outcome) go_on = go_on && outcome == Outcome::running;
  }
  return cycle;
}

/// Adds the correction sum_k y_k p_k; q_k = (A p_k - sum_i<k h_ki q_i) / h_kk, so that y solves a triangular system.
/// The residual's field holds the sum, since a new residual follows.
void GCR::wait()
{
  const int n = static_cast<int>(rr_.count());
  blas::Matrix y(used_, n);
  for (int j = 0; j < n; j++)
    for (int k = used_ - 1; k >= 0; k--) {
      Complex c = along_[j][k];
      for (int m = k + 1; m < used_; m++) c -= triangle_[j][static_cast<std::size_t>(m) * restart_ + k] * y(m, j);
      y(k, j) = c / triangle_[j][static_cast<std::size_t>(k) * restart_ + k];
    }
  blas::zero(*r_);
  p_.add(y, *r_);
  waits_ = true;
}

void GCR::add_correction_to(ColorSpinorField &x)
{
  if (!waits_) wait();
  blas::block::axpy_mixed(1.0, *r_, x);
  waits_ = false;
  used_ = 0;
}

} // namespace quda
