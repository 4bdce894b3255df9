#include "kernel_ops/caches_kernel.h"
#include "kernel_ops/tables.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

static ArrayArg arg_of(const ArrayCall &call)
{
  return {{call.threads[0], call.threads[1], call.threads[2]}, call.in, call.out, call.second};
}

static void own(const TuneParam &tp, const ArrayCall &call) { launch_1d<Own>(tp, nullptr, arg_of(call)); }
static void exchange(const TuneParam &tp, const ArrayCall &call) { launch_2d<Exchange>(tp, nullptr, arg_of(call)); }
static void transpose(const TuneParam &tp, const ArrayCall &call) { launch_2d<Transpose>(tp, nullptr, arg_of(call)); }

template <class Kernel> static int bytes_of(int x, int y, int z) { return shared_bytes<Kernel>({{x, y, z}}); }

extern const CachesTable caches = {
    own, exchange, transpose, bytes_of<Own<ArrayArg>>, bytes_of<Exchange<ArrayArg>>, bytes_of<Transpose<ArrayArg>>};

} // namespace quda::QUDA_TARGET_NAMESPACE
