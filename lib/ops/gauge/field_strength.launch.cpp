/// Instances of charge and energy.

#include "kernels/gauge/field_strength.h"
#include "device/built.h"
#include "ops/gauge/field_strength_table.h"
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void charge(const TuneParam &tp, void *stream, const ChargeCall &call, ExactLimbs *sums)
  {
    launch_sum_2d<Charge>(tp, stream, ChargeArg<T, recon>(call), sums);
  }

} // namespace

extern const ChargeTable charge_table;
const ChargeTable charge_table = {QUDA_PRECISION_RECONSTRUCT(charge)};

} // namespace quda::QUDA_TARGET_NAMESPACE
