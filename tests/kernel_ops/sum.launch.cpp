#include "kernel_ops/sum_kernel.h"
#include "kernel_ops/tables.h"
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> static void sum(const TuneParam &tp, const SumCall &call, ExactLimbs *result)
{
  const SumArg<T> arg = {
      {call.threads[0], call.threads[1], call.threads[2]}, call.active, static_cast<const T *>(call.in)};
  launch_sum_2d<Entries>(tp, nullptr, arg, result);
}

static void sum_groups(const TuneParam &tp, const SumCall &call, ExactLimbs *result)
{
  const SumArg<double> arg = {
      {call.threads[0], call.threads[1], call.threads[2]}, call.active, static_cast<const double *>(call.in)};
  launch_sum_3d<GroupedEntries>(tp, nullptr, arg, result);
}

extern const SumTable sum_entries = {sum<double>, sum<float>, sum_groups};

} // namespace quda::QUDA_TARGET_NAMESPACE
