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
  const HopKind kind = {"clover_hop", term.inverse ? "CloverInverseHop" : "CloverHop",
                        1320 + (term.inverse ? 504 : 0) + (term.before ? 504 : 0), 48 + (term.inverse ? 0 : 504),
                        term.before ? 144 : 72};
  check_clover(kind.function, term.field, out);
  if (term.before) check_clover(kind.function, *term.before, out);
  if ((end.twist && end.twist->of_sum) != (term.before != nullptr) || (term.before && !term.inverse))
    fail(ErrorKind::internal, "clover_hop: a twist of the sum needs an inverse, and a clover term before it");
  CloverCall call {};
  call.clover = term.field.view();
  if (term.before) call.term = term.before->view();
  call.inverse = term.inverse;
  call.shift = term.shift;
  const Kernels<CloverCall> summing = clover_sums_kernels();
  run_hop(kind, clover_kernels(), &summing, call, {out, in, links, dagger, end});
}

} // namespace quda
