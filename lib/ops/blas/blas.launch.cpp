/// Instances of the linear algebra on whole fields: updates, sums, and sums behind updates.

#include "device/built.h"
#include "kernels/blas/sum.h"
#include "kernels/blas/update.h"
#include "ops/blas/blas_table.h"
#include <launch.h>
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace blas
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

  constexpr int x = Operands::x, y = Operands::y, z = Operands::z, w = Operands::w, u = Operands::u;

} // namespace blas

extern const BlasTable blas_table;
const BlasTable blas_table = {
    .copy = blas::Instances<blas::Copy>::entry,
    .ax = blas::Instances<blas::Ax>::entry,
    .axpby = blas::Instances<blas::Axpby>::entry,
    .caxpy = blas::Instances<blas::Caxpy>::entry,
    .caxpby = blas::Instances<blas::Caxpby>::entry,
    .axpy_bzpcx = blas::Instances<blas::AxpyBzpcx>::entry,
    .caxpy_xmaz = blas::Instances<blas::CaxpyXmaz>::entry,
    .cxpaypbz = blas::Instances<blas::Cxpaypbz>::entry,
    .caxpbypz_ymbw = blas::Instances<blas::CaxpbypzYmbw>::entry,

    .norm2 = blas::Instances<blas::Unchanged, blas::Norm2<blas::x>>::entry,
    .redot = blas::Instances<blas::Unchanged, blas::Redot<blas::x, blas::y>>::entry,
    .cdot = blas::Instances<blas::Unchanged, blas::Cdot<blas::x, blas::y>>::entry,
    .cdot_norm =
        blas::Instances<blas::Unchanged, blas::Both<blas::Cdot<blas::x, blas::y>, blas::Norm2<blas::x>>>::entry,

    .axpby_norm2 = blas::Instances<blas::Axpby, blas::Norm2<blas::z>>::entry,
    .axpy_redot = blas::Instances<blas::Axpby, blas::Redot<blas::x, blas::z>>::entry,
    .axpy_cg_norm = blas::Instances<blas::Axpby, blas::NormAndChange<blas::z, blas::y>>::entry,
    .caxpy_norm = blas::Instances<blas::Caxpy, blas::Norm2<blas::z>>::entry,
    .caxpy_dot = blas::Instances<blas::Caxpy, blas::Cdot<blas::w, blas::z>>::entry,
    .caxpy_xmaz_norm = blas::Instances<blas::CaxpyXmaz, blas::Norm2<blas::x>>::entry,
    .caxpbypz_ymbw_dot_norm =
        blas::Instances<blas::CaxpbypzYmbw, blas::Both<blas::Cdot<blas::u, blas::y>, blas::Norm2<blas::y>>>::entry,
};

} // namespace quda::QUDA_TARGET_NAMESPACE
