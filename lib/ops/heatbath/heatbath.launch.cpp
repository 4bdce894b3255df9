/// Instances of the heat bath.

#include "ops/heatbath/heatbath_table.h"
#include "device/built.h"
#include "kernels/heatbath/heatbath.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void heatbath(const TuneParam &tp, void *stream, const HeatbathCall &call)
  {
    launch_1d<Heatbath>(tp, stream, HeatbathArg<T, recon>(call, tp));
  }

} // namespace

extern const HeatbathTable heatbath_table;
const HeatbathTable heatbath_table = {QUDA_PRECISION_RECONSTRUCT(heatbath)};

} // namespace quda::QUDA_TARGET_NAMESPACE
