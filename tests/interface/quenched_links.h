#pragma once
/// Links with low modes, of a configuration of ours.

#include "files/gauge_file.h"
#include "reference/gauge/links.h"
#include "reference/test_data.h"

namespace test
{

/// 4 4 4 8 at beta 6.0, where kappa is critical near 0.157.
inline reference::GaugeField quenched_links()
{
  const quda_files::GaugeFile file = quda_files::inspect(reference::own_data("beta6_4448.ildg"));
  return reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file));
}

} // namespace test
