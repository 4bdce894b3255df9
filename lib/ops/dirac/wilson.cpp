#include "ops/dirac/wilson.h"

#include "kernels/dirac/wilson_call.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(WilsonCall, wilson)
QUDA_KERNELS(WilsonCall, wilson_sums)

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                const HopEnd &end)
{
  constexpr HopKind kind = {"wilson_hop", "Wilson", 1320, 48, 0};
  run_hop(kind, wilson_kernels(), wilson_sums_kernels(), WilsonCall {}, {out, in, links, dagger, end});
}

} // namespace quda
