#include "ops/links/two_link.h"

#include "ops/force/path_sum.h"

namespace quda
{

GaugeField two_link(const LinkSet &links)
{
  GaugeFieldParam param = links.precise().param();
  param.link_type = LinkType::general; // of no property
  param.reconstruct = Reconstruct::none;
  for (int &R : param.R) R = 0;
  GaugeField products(param);
  PathSet paths;
  for (int mu = 0; mu < 4; mu++) paths[static_cast<std::size_t>(mu)] = {{{mu}, 1.0}};
  const Reach reach = reach_of(paths);
  int R[4];
  for (int d = 0; d < 4; d++) R[d] = (reach[static_cast<std::size_t>(d)] + 1) / 2 * 2;
  add_path_sum(products, links.with_border(R), paths, 1, true);
  return products;
}

} // namespace quda
