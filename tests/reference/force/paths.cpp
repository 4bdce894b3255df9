#include "reference/force/paths.h"

namespace reference
{

namespace
{

  /// Product of the links along a path from x, the first on the left.
  Link path_product(const GaugeField &gauge, Coords x, const std::vector<int> &steps)
  {
    Link product = Link::Identity();
    for (const int step : steps) {
      if (step < 4) {
        product = (product * gauge.at(step, x)).eval();
        x = gauge.lattice.shifted(x, step, 1);
      } else {
        x = gauge.lattice.shifted(x, 7 - step, -1);
        product = (product * gauge.at(7 - step, x).adjoint()).eval();
      }
    }
    return product;
  }

} // namespace

Link path_sum(const GaugeField &gauge, const PathTerms &terms, const Coords &x, int mu)
{
  Link sum = Link::Zero();
  for (const PathTerm &term : terms[mu])
    sum += term.coefficient * path_product(gauge, gauge.lattice.shifted(x, mu, 1), term.steps);
  return gauge.at(mu, x) * sum;
}

GaugeField path_sum(const GaugeField &gauge, const PathTerms &terms)
{
  GaugeField w(gauge.lattice);
#pragma omp parallel for
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) w.U[mu][slot] = path_sum(gauge, terms, gauge.lattice.coords(slot), mu);
  return w;
}

Complex loop_trace(const GaugeField &gauge, const std::vector<int> &steps)
{
  double re = 0, im = 0;
#pragma omp parallel for reduction(+ : re, im)
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
    const Complex t = path_product(gauge, gauge.lattice.coords(slot), steps).trace();
    re += t.real();
    im += t.imag();
  }
  return {re, im};
}

} // namespace reference
