#include "ops/smear/zeuthen.h"

#include "kernels/smear/zeuthen_call.h"
#include "ops/gauge/path_sum.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(ZeuthenCall, zeuthen)

void zeuthen_step(GaugeField &out, const GaugeField &in, GaugeField &force, const FlowStage &stage)
{
  const char *function = "zeuthen_step";
  check_step(function, out, in);
  GaugeField &generator = *stage.generator;
  for (int d = 0; d < 4; d++)
    if (force.R()[d] != in.R()[d] || generator.R()[d] != 0)
      fail(ErrorKind::internal, text("%s: border %d (in), %d (force), %d (generators) in direction %d", function,
                                     in.R()[d], force.R()[d], generator.R()[d], d));
  static const PathSet paths = staple_paths(5.0 / 3.0, -1.0 / 12.0);
  add_path_sum(force, in, paths, 1, true);
  exchange_border(force);
  generator.mark_written();
  ZeuthenCall call {};
  call.in = in.view();
  call.out = out.view();
  call.force = force.view();
  call.generator = generator.view();
  call.old = stage.old;
  call.step = stage.step;
  // four products for the two transported forces, one with the exponential
  launch({.name = "Zeuthen",
          .lattice = in.lattice(),
          .extent = {registers(in), 2, 4},
          .aux = links_text(in, stage.old != 0 ? ",stage" : ",first_stage"),
          .flops = 4 * 5 * 198 * in.lattice().volume(),
          .bytes = 2 * link_bytes(in) + link_bytes(force) + (stage.old != 0 ? 2 : 1) * link_bytes(generator),
          .streaming = true,
          .in_place = memory_of(generator),
          .written = memory_of(out)},
         instance(zeuthen_kernels(), function, in), call);
  out.mark_written();
  generator.mark_written();
}

} // namespace quda
