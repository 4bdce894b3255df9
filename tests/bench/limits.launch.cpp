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

  long long last_cache()
  {
#if defined(__CUDACC__)
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
    return bytes;
#else
    return 0;
#endif
  }

} // namespace

extern const bench::LimitTable limit_table;
const bench::LimitTable limit_table = {limit<double, LimitFill>,
                                       limit<double, LimitCopy>,
                                       limit<double, LimitTriad>,
                                       limit<double, LimitDot>,
                                       {limit<double, LimitFma>, limit<float, LimitFma>},
                                       last_cache};

} // namespace quda::QUDA_TARGET_NAMESPACE
