#include "solvers/ca_gcr.h"

#include <algorithm>

#include "solvers/gram_factor.h"

namespace quda
{

void CAGCR::begin(const ColorSpinorField &r) { replace(r); }

void CAGCR::replace(const ColorSpinorField &r)
{
  blas::copy(*r_, r);
  rr_.begin(blas::block::norm2(*r_));
}

CycleResult CAGCR::run(const CycleTarget &goal)
{
  const int n = static_cast<int>(rr_.count());
  CycleResult cycle = rr_.cycle();
  for (bool go_on = true; go_on;) {
    const int s = std::min(basis_.size(), goal.steps - cycle.steps);
    basis_.grow(*r_, s);
    const auto products = basis_.products.list(s);
    auto and_r = products;
    and_r.push_back(&*r_);
    const std::vector<blas::Matrix> gram = blas::block::gram(products, and_r);
    blas::Matrix y(s, n), minus(s, n);
    bool bad = false;
    for (int j = 0; j < n; j++) {
      const blas::Matrix &g = gram[j];
      if (rr_[j] == 0) continue; // this right-hand side is solved
      if (g(0, 0) == 0.0) {
        cycle.outcome[j] = Outcome::breakdown;
        bad = true;
      }
      std::vector<blas::Complex> h;
      for (int k = 0; k < s; k++) h.push_back(g(k, s));
      h = GramFactor(g, s, dependent(A_.precision())).solve(std::move(h));
      for (int k = 0; k < s; k++) {
        y(k, j) = h[k];
        minus(k, j) = -h[k];
      }
    }
    if (bad) return cycle;
    x_.add(y, basis_.vectors.list(s));
    if (goal.blind && cycle.steps + s >= goal.steps) {
      cycle.steps += s;
      return cycle;
    }
    blas::block::axpy_many(minus, products, *r_);
    go_on = rr_.step(blas::block::norm2(*r_), goal, cycle, s);
  }
  return cycle;
}

} // namespace quda
