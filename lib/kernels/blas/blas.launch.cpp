/// Instances of the linear algebra on whole fields: updates, sums, and updates with sums.

#include "device/instances.h"
#include "kernels/blas/sum.h"
#include "kernels/blas/update.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace blas
{

  /// Sums of a group.
  template <class Sums> constexpr int entries = Sums::entries;
  template <> inline constexpr int entries<NoSums> = 0;

  static_assert(Operands::count == blas_operands, "a call has a field for each operand");

  template <template <class> class Formula, class Sums> struct FormulaLaunch {
    template <class T, int, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
    {
      if constexpr (entries < Sums >> 0)
        launch_sum_3d<BlasSum>(tp, stream, BlasArg<T, Formula, Sums>(call, tp), call.sums);
      else
        launch_3d<BlasUpdate>(tp, stream, BlasArg<T, Formula>(call, tp));
    }
  };

  template <template <class> class Formula, class Sums = NoSums> struct Entry {
    using Arg = BlasArg<double, Formula, Sums>;
    static constexpr BlasFormula entry = {
        quda::QUDA_TARGET_NAMESPACE::Instances<BlasCall, FormulaLaunch<Formula, Sums>, Stored, NoVariants>::table,
        Arg::reads, Arg::writes, Arg::in_place, entries<Sums>};
  };

  constexpr int x = Operands::x, y = Operands::y, z = Operands::z, w = Operands::w, u = Operands::u;

} // namespace blas

extern const BlasTable blas_table;
const BlasTable blas_table = {
    .zero = blas::Entry<blas::Zero>::entry,
    .swap = blas::Entry<blas::Swap>::entry,
    .copy = blas::Entry<blas::Copy>::entry,
    .ax = blas::Entry<blas::Ax>::entry,
    .axpby = blas::Entry<blas::Axpby>::entry,
    .caxpy = blas::Entry<blas::Caxpy>::entry,
    .caxpby = blas::Entry<blas::Caxpby>::entry,
    .axpy_bzpcx = blas::Entry<blas::AxpyBzpcx>::entry,
    .caxpy_xmaz = blas::Entry<blas::CaxpyXmaz>::entry,
    .cxpaypbz = blas::Entry<blas::Cxpaypbz>::entry,
    .caxpbypz_ymbw = blas::Entry<blas::CaxpbypzYmbw>::entry,

    .norm2 = blas::Entry<blas::Unchanged, blas::Norm2<blas::x>>::entry,
    .redot = blas::Entry<blas::Unchanged, blas::Redot<blas::x, blas::y>>::entry,
    .cdot = blas::Entry<blas::Unchanged, blas::Cdot<blas::x, blas::y>>::entry,
    .cdot_norm = blas::Entry<blas::Unchanged, blas::Both<blas::Cdot<blas::x, blas::y>, blas::Norm2<blas::x>>>::entry,

    .norm_change = blas::Entry<blas::Unchanged, blas::NormAndChangeFrom<blas::x, blas::y>>::entry,

    .ratio = blas::Entry<blas::Unchanged, blas::Ratio<blas::x, blas::y>>::entry,

    .axpby_norm2 = blas::Entry<blas::Axpby, blas::Norm2<blas::z>>::entry,
    .axpy_redot = blas::Entry<blas::Axpby, blas::Redot<blas::x, blas::z>>::entry,
    .axpy_cg_norm = blas::Entry<blas::Axpby, blas::NormAndChange<blas::z, blas::y>>::entry,
    .caxpy_norm = blas::Entry<blas::Caxpy, blas::Norm2<blas::z>>::entry,
    .caxpy_dot = blas::Entry<blas::Caxpy, blas::Cdot<blas::w, blas::z>>::entry,
    .caxpy_xmaz_norm = blas::Entry<blas::CaxpyXmaz, blas::Norm2<blas::x>>::entry,
    .caxpbypz_ymbw_dot_norm =
        blas::Entry<blas::CaxpbypzYmbw, blas::Both<blas::Cdot<blas::u, blas::y>, blas::Norm2<blas::y>>>::entry,
};

} // namespace quda::QUDA_TARGET_NAMESPACE
