#include "ops/gauge/field_strength.h"

#include <optional>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "fields/site_field.h"
#include "kernels/gauge/field_strength_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(ChargeCall, charge)

ChargeAndEnergy charge_and_energy(const GaugeField &links, void *density)
{
  const Lattice &lattice = links.lattice();
  check_border("charge_and_energy", links, 1);
  SiteFieldParam param;
  param.lattice = links.shared_lattice();
  param.precision = links.precision();
  std::optional<SiteField> sites;
  if (density) sites.emplace(param);
  ExactLimbs sums[3];
  const long long density_bytes = density ? lattice.volume() * bytes_of(links.precision()) : 0;
  launch({.name = "Charge",
          .lattice = lattice,
          .extent = {registers(links), 2},
          .aux = links_text(links, density ? ",density" : ""),
          .flops = 11664 * lattice.volume(),
          .bytes = link_bytes(links) + density_bytes,
          .sums = sums},
         instance(charge_kernels(), "charge_and_energy", links),
         {links.view(), sites ? sites->view() : FieldView {}, sums});
  if (density) {
    param.native = false;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = density;
    SiteField host(param);
    host = *sites;
  }
  sum_limbs(lattice.communicator(), sums, 3);
  const double volume = static_cast<double>(lattice.global_volume());
  return {exact_value(sums[2]), exact_value(sums[0]) / volume, exact_value(sums[1]) / volume};
}

} // namespace quda
