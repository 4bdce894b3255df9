/// Instances of the Wilson hop and of its halo.

#include "ops/dirac/wilson_table.h"
#include "device/built.h"
#include "kernels/dirac/wilson.h"
#include "kernels/dirac/wilson_halo.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void hop(const TuneParam &tp, void *stream, const WilsonCall &call)
  {
    launch_2d<Wilson>(tp, stream, WilsonArg<T, recon>(call, tp));
  }

  template <class T, int recon> void pack(const TuneParam &tp, void *stream, const WilsonHaloCall &call)
  {
    launch_2d<WilsonPack>(tp, stream, WilsonHaloArg<T, recon>(call));
  }

  template <class T> void unpack(const TuneParam &tp, void *stream, const WilsonHaloCall &call)
  {
    launch_2d<WilsonUnpack>(tp, stream, WilsonHaloArg<T, 18>(call));
  }

} // namespace

extern const WilsonTable wilson_table;
const WilsonTable wilson_table = {QUDA_PRECISION_RECONSTRUCT(hop), QUDA_PRECISION_RECONSTRUCT(pack),
                                  QUDA_PRECISIONS(unpack)};

} // namespace quda::QUDA_TARGET_NAMESPACE
