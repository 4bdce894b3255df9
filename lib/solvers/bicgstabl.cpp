#include "solvers/bicgstabl.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "solvers/gram_factor.h"

namespace quda
{

BiCGstabL::BiCGstabL(const LinearOperator &A, int l)
    : KrylovMethod(A, "BiCGstab(l)")
    , l_(l)
    , r_(this, std::max(l, 1) + 1)
    , u_(this, std::max(l, 1) + 1)
{
  if (l < 1) fail(ErrorKind::bad_argument, text("BiCGstab(l): l = %d; allowed: a positive number", l));
}

void BiCGstabL::begin(const ColorSpinorField &r)
{
  columns_.assign(static_cast<std::size_t>(r.rhs()), {});
  const bool another = choose_shadow(*shadow_, r, broken_);
  blas::zero(u_[0]);
  go_on_from(r);
  const std::vector<double> shadow2 = another ? blas::block::norm2(*shadow_) : rr_.norm2();
  for (std::size_t j = 0; j < columns_.size(); j++) columns_[j].shadow2 = shadow2[j];
}

void BiCGstabL::replace(const ColorSpinorField &r)
{
  broken_.assign(broken_.size(), {});
  go_on_from(r);
}

void BiCGstabL::go_on_from(const ColorSpinorField &r)
{
  blas::copy(r_[0], r);
  rr_.begin(look());
}

void BiCGstabL::begin_again(std::size_t j)
{
  const int column = static_cast<int>(j);
  ColorSpinorField shadow = shadow_->columns(column, 1), u = u_[0].columns(column, 1);
  blas::copy(shadow, r_[0].columns(column, 1));
  blas::zero(u);
  columns_[j] = {.shadow2 = rr_[j], .dot = rr_[j]};
}

std::vector<double> BiCGstabL::look()
{
  std::vector<double> norm2;
  for (const blas::DotNorm &one : blas::block::cDotNormB(*shadow_, r_[0])) {
    columns_[norm2.size()].dot = one.dot;
    norm2.push_back(one.norm2);
  }
  return norm2;
}

CycleResult BiCGstabL::run(const CycleTarget &goal)
{
  const std::size_t n = rr_.count();
  const double small = negligible(A_.precision()) * negligible(A_.precision());
  CycleResult cycle = rr_.cycle();
  std::vector<Complex> a(n), minus(n);
  for (bool go_on = true; go_on;) {
    int l = std::min(l_, goal.steps - cycle.steps);
    std::vector<std::size_t> lost; // right-hand sides whose recursion ends here
    for (Column &c : columns_) c.rho *= -c.w;
    for (int i = 0; i < l; i++) {
      for (std::size_t j = 0; j < n; j++) {
        Column &c = columns_[j];
        minus[j] = 0;
        if (rr_[j] == 0) continue; // this right-hand side is solved
        minus[j] = -c.a * c.dot / c.rho;
        c.rho = c.dot;
      }
      for (int k = 0; k <= i; k++) blas::caxpby(1.0, r_[k], minus, u_[k]);
      Sums su, sr;
      A_.apply({.out = u_[i + 1], .in = u_[i], .end = {.dot_with = &*shadow_, .norm = true}}, &su);
      for (std::size_t j = 0; j < n; j++) {
        Column &c = columns_[j];
        c.a = 0;
        if (rr_[j] > 0 && std::abs(su.dot[j]) <= small * std::sqrt(c.shadow2 * su.norm[j])) {
          lost.push_back(j);
        } else if (rr_[j] != 0) {
          c.a = c.rho / su.dot[j];
        }
        a[j] = c.a;
        minus[j] = -c.a;
      }
      if (!lost.empty()) {
        l = i; // residuals may be large on the way: minimise over the powers that exist
        break;
      }
      x_.add(a, u_[0]);
      for (int k = 0; k <= i; k++) blas::caxpy(minus, u_[k + 1], r_[k]);
      A_.apply({.out = r_[i + 1], .in = r_[i], .end = {.dot_with = &*shadow_}}, &sr);
      for (std::size_t j = 0; j < n; j++) columns_[j].dot = sr.dot[j];
    }

    if (l == 0) {
      for (const std::size_t j : lost) cycle.outcome[j] = Outcome::breakdown;
      for (std::size_t j = 0; j < n; j++) {
        broken_[j].came_back(cycle.outcome[j]);
        if (cycle.outcome[j] == Outcome::running && rr_[j] > 0) begin_again(j);
      }
      return cycle;
    }
    for (Breakdowns &one : broken_) one.steps += l;
    const auto powers = r_.list(l, 1);
    auto and_r = powers;
    and_r.push_back(&r_[0]);
    const std::vector<blas::Matrix> gram = blas::block::gram(powers, and_r);
    blas::Matrix g(l, static_cast<int>(n)), minus_g(l, static_cast<int>(n));
    for (std::size_t j = 0; j < n; j++) {
      std::vector<Complex> h;
      for (int k = 0; k < l; k++) h.push_back(gram[j](k, l));
      h = GramFactor(gram[j], l, 0).solve(std::move(h));
      columns_[j].w = h.back();
      for (int k = 0; k < l; k++) {
        g(k, static_cast<int>(j)) = h[k];
        minus_g(k, static_cast<int>(j)) = -h[k];
      }
    }
    x_.add(g, r_.list(l));
    blas::block::axpy_many(minus_g, u_.list(l, 1), u_[0]);
    blas::block::axpy_many(minus_g, powers, r_[0]);
    go_on = rr_.step(look(), goal, cycle, l);
    const bool all = !lost.empty(); // the other right-hand sides are half way through a step
    for (std::size_t j = 0; j < n; j++) {
      const Column &c = columns_[j];
      const bool goes_on = c.w != 0.0 && std::abs(c.dot) > small * std::sqrt(c.shadow2 * rr_[j]);
      if (!(rr_[j] > 0) || (goes_on && !all)) continue;
      begin_again(j);
      cycle.back[j] = true;
      go_on = false;
    }
  }
  return cycle;
}

} // namespace quda
