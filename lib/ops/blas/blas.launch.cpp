/// Instances of the linear algebra on whole fields.

#include "ops/blas/blas_table.h"
#include "device/built.h"
#include "kernels/blas/blas.h"
#include <launch.h>
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> void copy(const TuneParam &tp, void *stream, const BlasCall &call)
  {
    launch_2d<BlasCopy>(tp, stream, BlasArg<T>(call, tp));
  }

  template <class T> void axpyz(const TuneParam &tp, void *stream, const BlasCall &call)
  {
    launch_2d<BlasAxpyz>(tp, stream, BlasArg<T>(call, tp));
  }

  template <class T> void norm2(const TuneParam &tp, void *stream, const BlasCall &call, ExactLimbs *sum)
  {
    launch_sum_2d<BlasNorm2>(tp, stream, BlasArg<T>(call, tp), sum);
  }

} // namespace

extern const BlasTable blas_table;
const BlasTable blas_table = {QUDA_PRECISIONS(copy), QUDA_PRECISIONS(axpyz), QUDA_PRECISIONS(norm2)};

} // namespace quda::QUDA_TARGET_NAMESPACE
