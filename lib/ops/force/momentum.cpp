#include "ops/force/momentum.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/force/momentum_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(UpdateCall, update_links)
QUDA_KERNELS(MomentumActionCall, momentum_action)

void update_links(GaugeField &out, const GaugeField &in, const GaugeField &momentum, double dt, bool exact)
{
  const bool fits = out.native() && in.native() && momentum.native() && out.precision() == in.precision() &&
                    momentum.precision() == in.precision() && out.reconstruct() == in.reconstruct() &&
                    in.link_type() != LinkType::momentum && momentum.link_type() == LinkType::momentum &&
                    !momentum.extended() && same_sites(out.lattice(), in.lattice()) &&
                    same_sites(momentum.lattice(), in.lattice());
  if (!fits || in.extended() || out.extended())
    fail(ErrorKind::internal, "update_links: fields of different kind, precision or lattice, or with a border");
  const bool in_place = out.data() == in.data();
  // a link: scaling and trace 15, invariants 45, powers 7 each, the sum of the series 170, the product 198
  const int powers = !exact ? 8 : in.precision() == Precision::double_ ? 19 : 12;
  const int bytes = bytes_of(in.precision());
  launch({.name = "UpdateLinks",
          .lattice = in.lattice(),
          .extent = {registers(in), 8},
          .aux = key_text("prec=", bytes, ",recon=", in.reals(), exact ? ",exact" : ",series",
                          in_place ? ",in_place" : ""),
          .flops = 4 * (428 + 7 * powers) * in.lattice().volume(),
          .bytes = 2 * link_bytes(in) + link_bytes(momentum),
          .in_place = in_place ? memory_of(out) : MemorySpan {}},
         instance(update_links_kernels(), "update_links", in), {out.view(), in.view(), momentum.view(), dt, exact});
  out.mark_written();
}

double momentum_action(const GaugeField &momentum)
{
  if (!momentum.native() || momentum.link_type() != LinkType::momentum || momentum.extended())
    fail(ErrorKind::internal, "momentum_action: no native momenta without border");
  ExactLimbs sum;
  const int bytes = bytes_of(momentum.precision());
  launch({.name = "MomentumAction",
          .lattice = momentum.lattice(),
          .extent = {registers(momentum), 2},
          .aux = key_text("prec=", bytes),
          .flops = 76 * momentum.lattice().volume(),
          .bytes = link_bytes(momentum),
          .sums = {&sum, 1}},
         momentum_action_kernels().find("momentum_action", bytes), {momentum.view(), &sum});
  sum_limbs(momentum.lattice().communicator(), &sum, 1);
  exact_add(sum, -16.0 * static_cast<double>(momentum.lattice().global_volume()));
  return exact_value(sum);
}

} // namespace quda
