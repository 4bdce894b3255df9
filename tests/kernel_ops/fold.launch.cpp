#include "kernel_ops/fold_kernel.h"
#include "kernel_ops/tables.h"
#include <fold.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Op> static void launch(const TuneParam &tp, const FoldCall &call, double *parts)
{
  const FoldArg arg = {{call.threads[0], call.threads[1], call.threads[2]}, call.active, call.in, call.places};
  launch_fold_2d<NumberAndPlace, Op>(tp, nullptr, arg, parts);
}
template <class Op> static void combine(double *numbers, int parts)
{
  fold_numbers<array<Real<double>, 2>, Op>(numbers, parts);
}

extern const FoldTable fold = {{launch<Minimum>, launch<Maximum>, launch<LargestAt>},
                               {combine<Minimum>, combine<Maximum>, combine<LargestAt>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
