#pragma once
/// Entries of the kernel tables, for the launch units of the linear algebra.

#include "device/built.h"
#include "kernels/blas/sum.h"
#include "kernels/blas/update.h"
#include "ops/blas/blas_table.h"
#include <launch.h>
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE::blas
{

static_assert(Operands::count == blas_operands, "a call has a pointer for each operand");

template <template <class> class Formula, class Sums = NoSums> struct Instances {
  template <class T>
  static void launch(const TuneParam &tp, void *stream, const BlasCall &call, [[maybe_unused]] ExactLimbs *sums)
  {
    if constexpr (Sums::count > 0)
      launch_sum_2d<BlasSum>(tp, stream, BlasArg<T, Formula, Sums>(call, tp), sums);
    else
      launch_2d<BlasUpdate>(tp, stream, BlasArg<T, Formula>(call, tp));
  }

  using Arg = BlasArg<double, Formula, Sums>;
  static constexpr BlasFormula entry = {QUDA_PRECISIONS(launch), Arg::reads, Arg::writes, Arg::in_place, Sums::count};
};

} // namespace quda::QUDA_TARGET_NAMESPACE::blas
