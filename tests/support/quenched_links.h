#pragma once
/// Links with low modes, of a configuration of ours.

#include "files/gauge_file.h"
#include "reference/gauge/links.h"
#include "reference/test_data.h"

namespace support
{

/// 4 4 4 8 at beta 6.0, where kappa of Wilson fermions is critical near 0.157.
inline reference::GaugeField quenched_links(int t_boundary = 1)
{
  const quda_files::GaugeFile file = quda_files::inspect(reference::own_data("beta6_4448.ildg"));
  reference::GaugeField gauge =
      reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file));
  reference::set_up_links(gauge, 1, t_boundary);
  return gauge;
}

} // namespace support
