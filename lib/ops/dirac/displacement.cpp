#include "ops/dirac/displacement.h"

#include <utility>

#include "ops/dirac/covariant_sum.h"

namespace quda
{

void displace(ColorSpinorField &psi, const GaugeField &links, std::span<const DisplacementStep> steps)
{
  if (steps.empty()) return;
  ColorSpinorField other(psi.param());
  ColorSpinorField *from = &psi, *to = &other;
  for (const DisplacementStep &step : steps) {
    const int d = step.direction;
    if (step.kind == StepKind::derivative) {
      covariant_sum(*to, *from, links, leg_ahead(d), {.b = 0.5});
      covariant_sum(*to, *from, links, leg_behind(d), {.x = to, .b = -0.5});
    } else {
      covariant_sum(*to, *from, links, step.kind == StepKind::ahead ? leg_ahead(d) : leg_behind(d));
    }
    std::swap(from, to);
  }
  if (from != &psi) psi = *from;
}

double displacement_flops(const ColorSpinorField &psi, std::span<const DisplacementStep> steps)
{
  const double shift = 72.0 * psi.spins() * static_cast<double>(psi.lattice().volume());
  double all = 0;
  for (const DisplacementStep &step : steps) all += step.kind == StepKind::derivative ? 2 * shift : shift;
  return all;
}

} // namespace quda
