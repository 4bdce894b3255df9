/// Instances of the plaquette.

#include "ops/gauge/plaquette_table.h"
#include "device/built.h"
#include "kernels/gauge/plaquette.h"
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon>
  void plaquette(const TuneParam &tp, void *stream, const PlaquetteCall &call, ExactLimbs *sums)
  {
    launch_sum_2d<Plaquette>(tp, stream, PlaquetteArg<T, recon>(call, tp), sums);
  }

} // namespace

extern const PlaquetteTable plaquette_table;
const PlaquetteTable plaquette_table = {QUDA_PRECISION_RECONSTRUCT(plaquette)};

} // namespace quda::QUDA_TARGET_NAMESPACE
