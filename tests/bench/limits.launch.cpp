/// Instances of the machine's limits.

#include "bench/limits_kernel.h"
#include "bench/limits_table.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, template <class> class Kernel>
  void limit(const TuneParam &tp, void *stream, const bench::LimitCall &call)
  {
    launch_1d<Kernel>(tp, stream, LimitArg<T>(call, tp));
  }

} // namespace

extern const bench::LimitTable limit_table;
const bench::LimitTable limit_table = {limit<double, LimitNothing>, limit<double, LimitFill>,
                                       limit<double, LimitCopy>,    limit<double, LimitTriad>,
                                       limit<double, LimitUpdate>,  limit<double, LimitGather>,
                                       limit<double, LimitDot>,     {limit<double, LimitFma>, limit<float, LimitFma>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
