#include "reference/smear/flow.h"

#include <algorithm>
#include <cmath>

#include "reference/algebra.h"
#include "reference/smear/stout.h"

namespace reference
{

namespace
{

  /// D*_mu D_mu F_mu(x)
  Link second_difference(const GaugeField &gauge, const Generators &force, const Coords &x, int mu)
  {
    const Lattice &lattice = gauge.lattice;
    const Coords ahead = lattice.shifted(x, mu, 1), behind = lattice.shifted(x, mu, -1);
    const Link from_ahead = gauge.at(mu, x) * force[mu][lattice.slot(ahead)] * gauge.at(mu, x).adjoint();
    const Link from_behind = gauge.at(mu, behind).adjoint() * force[mu][lattice.slot(behind)] * gauge.at(mu, behind);
    return from_ahead + from_behind - 2 * force[mu][lattice.slot(x)];
  }

  FlowStages flow_step_3(const GaugeField &w0, double epsilon, const Flow &flow)
  {
    const Generators z0 = flow_force(w0, flow);
    const GaugeField w1 = moved(w0, epsilon / 4, z0, 0, z0, 0, z0);
    const Generators z1 = flow_force(w1, flow);
    const GaugeField w2 = moved(w1, epsilon * 8 / 9, z1, -epsilon * 17 / 36, z0, 0, z0);
    const Generators z2 = flow_force(w2, flow);
    return {w0, w1, w2, moved(w2, epsilon * 3 / 4, z2, -epsilon * 8 / 9, z1, epsilon * 17 / 36, z0)};
  }

  FlowStages flow_step_4(const GaugeField &gauge, double epsilon, const Flow &flow)
  {
    FlowStages stages;
    GaugeField now = gauge;
    Generators z;
    for (int i = 0; i < 6; i++) {
      Generators next = flow_force(now, flow);
      for (int nu = 0; nu < 4 && i > 0; nu++)
        for (std::size_t slot = 0; slot < next[nu].size(); slot++) next[nu][slot] += flow_a[i] * z[nu][slot];
      z = next;
      stages.push_back(now);
      now = moved(now, epsilon * flow_b[i], z, 0, z, 0, z);
    }
    stages.push_back(now);
    return stages;
  }

} // namespace

Generators flow_force(const GaugeField &gauge, const Flow &flow)
{
  const Lattice &lattice = gauge.lattice;
  Generators z;
  for (int nu = 0; nu < 4; nu++) {
    z[nu].resize(lattice.volume());
#pragma omp parallel for
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      Link sum = Link::Zero();
      for (int mu = 0; mu < 4; mu++) {
        std::array<bool, 4> one {};
        one[mu] = true;
        Link of_plane = staples(gauge, x, nu, one);
        if (flow.symanzik) of_plane = (5.0 / 3.0 * of_plane - rectangles(gauge, x, nu, one) / 12.0).eval();
        sum += (mu == 3 ? flow.anisotropy * flow.anisotropy : 1.0) * of_plane;
      }
      z[nu][slot] = traceless_anti_hermitian(sum * gauge.U[nu][slot].adjoint());
    }
  }
  if (!flow.zeuthen) return z;
  Generators corrected = z;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      corrected[mu][slot] = // links that are in SU(3) to some digits alone leave it a trace
          traceless_anti_hermitian(z[mu][slot] + second_difference(gauge, z, lattice.coords(slot), mu) / 12);
  return corrected;
}

GaugeField moved(const GaugeField &gauge, double a, const Generators &A, double b, const Generators &B, double c,
                 const Generators &C)
{
  GaugeField out = gauge;
#pragma omp parallel for
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    for (int nu = 0; nu < 4; nu++)
      out.U[nu][slot] = exponential(a * A[nu][slot] + b * B[nu][slot] + c * C[nu][slot]) * gauge.U[nu][slot];
  return out;
}

FlowStages flow_stages(const GaugeField &gauge, double epsilon, const Flow &flow, int order)
{
  return order == 4 ? flow_step_4(gauge, epsilon, flow) : flow_step_3(gauge, epsilon, flow);
}

GaugeField flow_step(const GaugeField &gauge, double epsilon, const Flow &flow, int order)
{
  return flow_stages(gauge, epsilon, flow, order).back();
}

double flow_error(const FlowStages &stages, double epsilon, const Flow &flow)
{
  const Generators z0 = flow_force(stages[0], flow), z1 = flow_force(stages[1], flow);
  const GaugeField second = moved(stages[0], 2 * epsilon, z1, -epsilon, z0, 0, z0);
  double largest = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < second.U[mu].size(); slot++)
      largest = std::max(largest, (stages[3].U[mu][slot] - second.U[mu][slot]).norm());
  return largest;
}

GaugeField flow_adaptively(GaugeField now, double time, const Flow &flow, AdaptiveFlow &steps)
{
  double t = 0;
  while (t < time * (1 - 1e-13)) {
    const double step = (time - t) / std::ceil((time - t) / steps.epsilon);
    const FlowStages stages = flow_step_3(now, step, flow);
    const double error = flow_error(stages, step, flow), room = 0.8 * steps.tolerance / error;
    if (error > steps.tolerance) {
      steps.epsilon = step * std::max(std::pow(room, 0.5), 0.1);
      steps.taken_back++;
      continue;
    }
    const double next = step * std::min(std::pow(room, 0.25), 2.0);
    steps.epsilon = next < step ? next : std::max(next, steps.epsilon);
    steps.taken++;
    t += step;
    now = stages[3];
  }
  return now;
}

} // namespace reference
