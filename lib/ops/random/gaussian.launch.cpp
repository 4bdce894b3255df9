/// Instances of random momenta and links.

#include "ops/random/gaussian_table.h"
#include "device/built.h"
#include "kernels/random/gaussian.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> void momentum(const TuneParam &tp, void *stream, const GaussianCall &call)
  {
    launch_3d<GaussianMomentum>(tp, stream, GaussianArg<T, Momentum<T>>(call));
  }

  template <class T, int recon> void links(const TuneParam &tp, void *stream, const GaussianCall &call)
  {
    launch_3d<GaussianLinks>(tp, stream, GaussianArg<T, Gauge<T, recon>>(call));
  }

} // namespace

extern const GaussianTable gaussian_table;
const GaussianTable gaussian_table = {QUDA_PRECISIONS(momentum), QUDA_PRECISION_RECONSTRUCT(links)};

} // namespace quda::QUDA_TARGET_NAMESPACE
