/// Instances of the sums, alone and behind an update.

#include "ops/blas/blas_entry.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace blas
{

  constexpr int x = Operands::x, y = Operands::y, z = Operands::z, w = Operands::w, u = Operands::u;

}

extern const BlasSumTable blas_sum_table;
const BlasSumTable blas_sum_table = {
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
