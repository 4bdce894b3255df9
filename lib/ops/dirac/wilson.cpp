#include "ops/dirac/wilson.h"

#include "kernels/dirac/wilson_call.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(WilsonCall, wilson)

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                std::span<const double> b, std::span<const double> a, const ColorSpinorField *x)
{
  constexpr HopKind kind = {"wilson_hop", "Wilson", 1320, 48, 0};
  const HopFields fields = {out, in, links, dagger, b, a, x};
  check_hop(kind, fields);
  run_hop(kind, instance(wilson_kernels(), kind.function, links), WilsonCall {}, fields);
}

} // namespace quda
