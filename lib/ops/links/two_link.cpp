#include "ops/links/two_link.h"

#include "ops/gauge/path_sum.h"

namespace quda
{

GaugeFieldParam matrices_of(const GaugeFieldParam &links)
{
  GaugeFieldParam param = links;
  param.link_type = LinkType::general;
  param.reconstruct = Reconstruct::none;
  param.anisotropy = 1;
  param.gauge_fix = false;
  for (int &R : param.R) R = 0;
  return param;
}

GaugeField links_in_a_row(const LinkSet &links, int length, double weight)
{
  GaugeField products(matrices_of(links.precise().param()));
  PathSet paths;
  for (int mu = 0; mu < 4; mu++)
    paths[static_cast<std::size_t>(mu)] = {{StepCodes(static_cast<std::size_t>(length - 1), mu), weight}};
  const Reach reach = reach_of(paths);
  int R[4];
  for (int d = 0; d < 4; d++) R[d] = (reach[static_cast<std::size_t>(d)] + 1) / 2 * 2;
  add_path_sum(products, links.with_border(R), paths, 1, true);
  return products;
}

} // namespace quda
