#include "ops/dirac/clover.h"

#include "kernels/dirac/clover_call.h"
#include "ops/clover/apply.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(CloverCall, clover)
QUDA_KERNELS(CloverCall, clover_sums)

void clover_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const CloverTerm &term,
                bool dagger, const HopEnd &end)
{
  const HopKind kind = {"clover_hop", term.inverse ? "CloverInverseHop" : "CloverHop", 1320 + (term.inverse ? 504 : 0),
                        48 + (term.inverse ? 0 : 504), 72};
  check_clover(kind.function, term.field, out);
  CloverCall call {};
  call.clover = term.field.view();
  call.inverse = term.inverse;
  call.shift = term.shift;
  const Kernels<CloverCall> summing = clover_sums_kernels();
  run_hop(kind, clover_kernels(), &summing, call, {out, in, links, dagger, end});
}

} // namespace quda
