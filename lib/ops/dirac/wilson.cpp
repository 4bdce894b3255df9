#include "ops/dirac/wilson.h"

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(HopCall, wilson)
QUDA_KERNELS(HopCall, wilson_sums)

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                const HopEnd &end)
{
  const Kernels<HopCall> summing = wilson_sums_kernels();
  run_hop(wilson_kind, wilson_kernels(), &summing, HopCall {}, {out, in, links, dagger, end});
}

} // namespace quda
