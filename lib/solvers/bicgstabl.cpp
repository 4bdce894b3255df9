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
  blas::copy(*shadow_, r);
  blas::zero(u_[0]);
  columns_.assign(static_cast<std::size_t>(r.rhs()), {});
  replace(r);
  for (std::size_t j = 0; j < columns_.size(); j++) columns_[j].shadow2 = rr_[j];
}

void BiCGstabL::replace(const ColorSpinorField &r)
{
  blas::copy(r_[0], r);
  rr_.begin(look());
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
    const int l = std::min(l_, goal.steps - cycle.steps);
    for (Column &c : columns_) c.rho *= -c.w;
    for (int i = 0; i < l; i++) {
      for (std::size_t j = 0; j < n; j++) {
        Column &c = columns_[j];
        minus[j] = 0;
        if (rr_[j] == 0) continue; // nothing is left of it
        minus[j] = -c.a * c.dot / c.rho;
        c.rho = c.dot;
      }
      for (int k = 0; k <= i; k++) blas::caxpby(1.0, r_[k], minus, u_[k]);
      Sums su, sr;
      A_.apply({.out = u_[i + 1], .in = u_[i], .end = {.dot_with = &*shadow_, .norm = true}}, &su);
      bool bad = false;
      for (std::size_t j = 0; j < n; j++) {
        Column &c = columns_[j];
        c.a = 0;
        if (rr_[j] > 0 && std::abs(su.dot[j]) <= small * std::sqrt(c.shadow2 * su.norm[j])) {
          cycle.outcome[j] = Outcome::breakdown;
          bad = true;
        } else if (rr_[j] != 0) {
          c.a = c.rho / su.dot[j];
        }
        a[j] = c.a;
        minus[j] = -c.a;
      }
      if (bad) return cycle;
      x_.add(a, u_[0]);
      for (int k = 0; k <= i; k++) blas::caxpy(minus, u_[k + 1], r_[k]);
      A_.apply({.out = r_[i + 1], .in = r_[i], .end = {.dot_with = &*shadow_}}, &sr);
      for (std::size_t j = 0; j < n; j++) columns_[j].dot = sr.dot[j];
    }

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
    for (std::size_t j = 0; j < n; j++) {
      const Column &c = columns_[j];
      if (!(rr_[j] > 0)) continue;
      if (c.w != 0.0 && std::abs(c.dot) > small * std::sqrt(c.shadow2 * rr_[j])) continue;
      cycle.outcome[j] = Outcome::breakdown;
      go_on = false;
    }
  }
  return cycle;
}

} // namespace quda
