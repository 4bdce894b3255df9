/// Instances of sums over staples.

#include "device/built.h"
#include "kernels/force/plaquette_force.h"
#include "kernels/force/staples.h"
#include "ops/force/path_table.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void plaquette(const TuneParam &tp, void *stream, const StaplesCall &call)
  {
    launch_2d<PlaquetteForce>(tp, stream, PlaquetteForceArg<T, recon>(call, tp));
  }

  template <class T, int recon> void rectangle(const TuneParam &tp, void *stream, const StaplesCall &call)
  {
    launch_2d<RectangleStaples>(tp, stream, StaplesArg<T, recon>(call, tp));
  }

} // namespace

extern const StaplesTable staples_table;
const StaplesTable staples_table = {QUDA_PRECISION_RECONSTRUCT(plaquette), QUDA_PRECISION_RECONSTRUCT(rectangle)};

} // namespace quda::QUDA_TARGET_NAMESPACE
