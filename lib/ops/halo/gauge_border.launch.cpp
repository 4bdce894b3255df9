/// Instances of the gauge border's kernels.

#include "ops/halo/gauge_border_table.h"
#include "device/built.h"
#include "kernels/halo/gauge_border.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> void pack(const TuneParam &tp, void *stream, const GaugeBorderCall &call)
  {
    launch_3d<GaugeBorder>(tp, stream, GaugeBorderArg<T>(call, false));
  }

  template <class T> void unpack(const TuneParam &tp, void *stream, const GaugeBorderCall &call)
  {
    launch_3d<GaugeBorder>(tp, stream, GaugeBorderArg<T>(call, true));
  }

} // namespace

extern const GaugeBorderTable gauge_border_table;
const GaugeBorderTable gauge_border_table = {QUDA_PRECISIONS(pack), QUDA_PRECISIONS(unpack)};

} // namespace quda::QUDA_TARGET_NAMESPACE
