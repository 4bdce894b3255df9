/// Instances of the contractions site by site.

#include "ops/contract/sitewise_table.h"
#include "device/built.h"
#include "kernels/contract/sitewise.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> void open(const TuneParam &tp, void *stream, const SitewiseCall &call)
  {
    launch_2d<ContractOpen>(tp, stream, SitewiseArg<T, 4>(call, tp));
  }

  template <class T> void bilinears(const TuneParam &tp, void *stream, const SitewiseCall &call)
  {
    launch_2d<ContractBilinears>(tp, stream, SitewiseArg<T, 4>(call, tp));
  }

  template <class T> void staggered(const TuneParam &tp, void *stream, const SitewiseCall &call)
  {
    launch_2d<ContractOpen>(tp, stream, SitewiseArg<T, 1>(call, tp));
  }

} // namespace

extern const SitewiseTable sitewise_table;
const SitewiseTable sitewise_table = {QUDA_PRECISIONS(open), QUDA_PRECISIONS(bilinears), QUDA_PRECISIONS(staggered)};

} // namespace quda::QUDA_TARGET_NAMESPACE
