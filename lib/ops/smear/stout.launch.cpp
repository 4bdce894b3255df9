/// Instances of stout smearing.

#include "kernels/smear/stout.h"
#include "device/built.h"
#include "kernels/smear/over_improved_stout.h"
#include "ops/smear/stout_table.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon> void stout(const TuneParam &tp, void *stream, const StoutCall &call)
  {
    launch_2d<Stout>(tp, stream, StoutArg<T, recon>(call, tp));
  }

  template <class T, int recon> void over_improved(const TuneParam &tp, void *stream, const StoutCall &call)
  {
    launch_3d<OverImprovedStout>(tp, stream, OverImprovedStoutArg<T, recon>(call, tp));
  }

} // namespace

extern const StoutTable stout_table;
const StoutTable stout_table = {QUDA_PRECISION_RECONSTRUCT(stout), QUDA_PRECISION_RECONSTRUCT(over_improved)};

} // namespace quda::QUDA_TARGET_NAMESPACE
