#include "ops/dirac/wilson.h"

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(HopCall, wilson)
QUDA_KERNELS(HopCall, wilson_sums)

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                const Epilogue &end, Sums *sums)
{
  const Kernels<HopCall> summing = wilson_sums_kernels();
  run_hop(wilson_kind, wilson_kernels(), &summing, HopCall {}, {out, in, links, dagger, end, sums});
}

void twisted_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const HopTwist &twist,
                 bool dagger, const Epilogue &end, Sums *sums)
{
  const Kernels<HopCall> summing = wilson_sums_kernels();
  run_hop(wilson_kind, wilson_kernels(), &summing, HopCall {}, {out, in, links, dagger, end, sums, &twist});
}

} // namespace quda
