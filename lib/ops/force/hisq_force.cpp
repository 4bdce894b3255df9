#include "ops/force/hisq_force.h"

#include "ops/force/link_gradient.h"

namespace quda
{

GaugeField hisq_gradient(const HisqLinks &links, const FatWeights &fat7, const FatWeights &level2,
                         HisqGradients &&gradients)
{
  const bool begun = gradients.single.has_value();
  GaugeField gradient = begun ? std::move(*gradients.single) : GaugeField(gradients.fat.param());
  fat_links_gradient(gradient, links.unitary, level2, gradients.fat, begun);
  add_long_links_gradient(gradient, links.unitary, 1, gradients.straight);
  unitary_links_gradient(gradient, links.fat7, links.filter, links.special ? &links.unitary.precise() : nullptr);
  GaugeField of_thin = std::move(gradients.fat);
  fat_links_gradient(of_thin, links.thin, fat7, gradient);
  return of_thin;
}

long long hisq_gradient_flops(const FatWeights &fat7, const FatWeights &level2)
{
  return fat_links_gradient_flops(fat7) + fat_links_gradient_flops(level2) + link_gradient_flops;
}

} // namespace quda
