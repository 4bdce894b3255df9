#include "reference/smear/stout.h"

#include "reference/algebra.h"

namespace reference
{

Link path(const GaugeField &gauge, Coords x, std::initializer_list<PathStep> steps)
{
  Link product = Link::Identity();
  for (const PathStep &step : steps) {
    if (step.sense < 0) x = gauge.lattice.shifted(x, step.d, -1);
    const Link u = gauge.at(step.d, x);
    product = (step.sense > 0 ? Link(product * u) : Link(product * u.adjoint())).eval();
    if (step.sense > 0) x = gauge.lattice.shifted(x, step.d, 1);
  }
  return product;
}

Link staples(const GaugeField &gauge, const Coords &x, int nu, const std::array<bool, 4> &smeared)
{
  Link sum = Link::Zero();
  for (int mu = 0; mu < 4; mu++)
    if (mu != nu && smeared[mu])
      for (int s : {+1, -1}) sum += path(gauge, x, {{mu, s}, {nu, +1}, {mu, -s}});
  return sum;
}

Link rectangles(const GaugeField &gauge, const Coords &x, int nu, const std::array<bool, 4> &smeared)
{
  Link sum = Link::Zero();
  for (int mu = 0; mu < 4; mu++)
    if (mu != nu && smeared[mu])
      for (int s : {+1, -1}) {
        sum += path(gauge, x, {{nu, -1}, {mu, s}, {nu, +1}, {nu, +1}, {mu, -s}});
        sum += path(gauge, x, {{mu, s}, {nu, +1}, {nu, +1}, {mu, -s}, {nu, -1}});
        sum += path(gauge, x, {{mu, s}, {mu, s}, {nu, +1}, {mu, -s}, {mu, -s}});
      }
  return sum;
}

StoutWeights stout_weights(double rho) { return {rho, 0}; }

StoutWeights over_improved_weights(double rho, double epsilon)
{
  return {rho * (5 - 2 * epsilon) / 3, -rho * (1 - epsilon) / 12};
}

Link stout_link(const GaugeField &gauge, const Coords &x, int nu, const StoutWeights &weights,
                const std::array<bool, 4> &smeared)
{
  const Link &u = gauge.at(nu, x);
  if (!smeared[nu]) return u;
  Link sum = weights.staples * staples(gauge, x, nu, smeared);
  if (weights.rectangles != 0) sum += weights.rectangles * rectangles(gauge, x, nu, smeared);
  return exponential(traceless_anti_hermitian(sum * u.adjoint())) * u;
}

GaugeField stout(const GaugeField &gauge, const StoutWeights &weights, const std::array<bool, 4> &smeared)
{
  GaugeField out = gauge;
#pragma omp parallel for
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    for (int nu = 0; nu < 4; nu++)
      out.U[nu][slot] = stout_link(gauge, gauge.lattice.coords(slot), nu, weights, smeared);
  return out;
}

} // namespace reference
