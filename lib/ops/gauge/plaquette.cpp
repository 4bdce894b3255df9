#include "ops/gauge/plaquette.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/gauge/plaquette_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(PlaquetteCall, plaquette)

PlaquetteAverage plaquette(const GaugeField &links)
{
  check_border("plaquette", links, 1);
  const Lattice &lattice = links.lattice();
  ExactLimbs sums[2];
  launch({.name = "Plaquette",
          .lattice = lattice,
          .extent = {registers(links), 2},
          .aux = links_text(links),
          .flops = 2592 * lattice.volume(),
          .bytes = link_bytes(links),
          .prefetch = true,
          .sums = sums},
         instance(plaquette_kernels(), "plaquette", links), {links.view(), sums});
  sum_limbs(lattice.communicator(), sums, 2);
  const double norm = 9.0 * static_cast<double>(lattice.global_volume());
  return {exact_value(sums[0]) / norm, exact_value(sums[1]) / norm};
}

} // namespace quda
