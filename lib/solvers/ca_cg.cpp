#include "solvers/ca_cg.h"

#include <algorithm>
#include <cmath>

namespace quda
{

namespace
{

  using Complexes = std::vector<blas::Complex>;

  constexpr double runaway = 100; // times |r|^2: errors of A Q, which are carried on and may grow in each cycle

  blas::Matrix minus(const blas::Matrix &a)
  {
    blas::Matrix b(a.rows(), a.columns());
    for (int i = 0; i < a.rows(); i++)
      for (int j = 0; j < a.columns(); j++) b(i, j) = -a(i, j);
    return b;
  }

} // namespace

void CACG::begin(const ColorSpinorField &r)
{
  factor_.resize(static_cast<std::size_t>(r.rhs()));
  forget();
  replace(r);
}

void CACG::forget()
{
  used_ = 0;
  for (GramFactor &factor : factor_) factor = {};
}

void CACG::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  if (used_ == 0) return rr_.begin(blas::block::norm2(*r_));
  const ColorSpinorField *const itself[] = {&*r_};
  const std::vector<blas::Matrix> along = blas::block::gram(directions_.list(used_), itself);
  blas::Matrix y(used_, r.rhs());
  for (int j = 0; j < r.rhs(); j++) {
    Complexes h(factor_[j].size());
    for (std::size_t k = 0; k < h.size(); k++) h[k] = along[j](static_cast<int>(k), 0);
    h = factor_[j].solve(std::move(h));
    for (std::size_t k = 0; k < h.size(); k++) y(static_cast<int>(k), j) = h[k];
  }
  rr_.begin(step(y));
}

std::vector<double> CACG::step(const blas::Matrix &y)
{
  x_.add(y, directions_.list(used_));
  blas::block::axpy_many(minus(y), products_.list(used_), *r_);
  return blas::block::norm2(*r_);
}

CycleResult CACG::run(const CycleTarget &goal)
{
  const int n = static_cast<int>(rr_.count());
  CycleResult cycle = rr_.cycle();
  for (bool go_on = true; go_on;) {
    const int s = std::min(basis_.size(), goal.steps - cycle.steps), t = used_;
    basis_.grow(*r_, s);
    auto right = basis_.products.list(s); // A S, A Q', r
    for (const ColorSpinorField *product : products_.list(t)) right.push_back(product);
    right.push_back(&*r_);
    const std::vector<blas::Matrix> gram = blas::block::gram(basis_.vectors.list(s), right);
    blas::Matrix y(s, n);
    std::vector<blas::Matrix> minus_b(static_cast<std::size_t>(s), blas::Matrix(t, n)); // [k]: column k of B
    std::vector<GramFactor> factor(factor_.size());
    for (int j = 0; j < n; j++) {
      const blas::Matrix &g = gram[j];
      if (rr_[j] == 0) continue; // this right-hand side is solved
      if (g(0, 0).real() <= 0) cycle.outcome[j] = g(0, 0).real() < 0 ? Outcome::indefinite : Outcome::breakdown;
      blas::Matrix C(s, s);
      Complexes h(s);
      for (int k = 0; k < s; k++) {
        Complexes b(factor_[j].size());
        for (std::size_t i = 0; i < b.size(); i++) b[i] = std::conj(g(k, s + static_cast<int>(i)));
        b = factor_[j].solve(std::move(b));
        for (int l = 0; l < s; l++) C(l, k) = g(l, k);
        for (std::size_t i = 0; i < b.size(); i++) {
          minus_b[k](static_cast<int>(i), j) = -b[i];
          for (int l = 0; l < s; l++) C(l, k) -= g(l, s + static_cast<int>(i)) * b[i];
        }
        h[k] = g(k, s + t);
      }
      factor[j] = GramFactor(C, s, std::sqrt(dependent(A_.precision())), &g);
      h = factor[j].solve(std::move(h));
      for (int k = 0; k < s; k++) y(k, j) = h[k];
    }
    for (const Outcome outcome : cycle.outcome)
      if (outcome != Outcome::running) return cycle;
    for (int k = 0; k < s && t > 0; k++) {
      blas::block::axpy_many(minus_b[k], directions_.list(t), basis_.vectors[k]);
      blas::block::axpy_many(minus_b[k], products_.list(t), basis_.products[k]);
    }
    std::swap<blas::VectorSet>(directions_, basis_.vectors);
    std::swap<blas::VectorSet>(products_, basis_.products);
    factor_ = std::move(factor);
    used_ = s;
    const std::vector<double> before = rr_.norm2();
    go_on = rr_.step(step(y), goal, cycle, s);
    bool runs_away = false;
    for (int j = 0; j < n; j++) runs_away = runs_away || rr_[j] > runaway * before[j];
    if (runs_away) {
      forget();
      return cycle;
    }
  }
  return cycle;
}

} // namespace quda
