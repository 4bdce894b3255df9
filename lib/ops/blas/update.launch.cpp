/// Instances of the update family.

#include "ops/blas/blas_entry.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

extern const BlasUpdateTable blas_update_table;
const BlasUpdateTable blas_update_table = {
    .copy = blas::Instances<blas::Copy>::entry,
    .ax = blas::Instances<blas::Ax>::entry,
    .axpby = blas::Instances<blas::Axpby>::entry,
    .caxpy = blas::Instances<blas::Caxpy>::entry,
    .caxpby = blas::Instances<blas::Caxpby>::entry,
    .axpy_bzpcx = blas::Instances<blas::AxpyBzpcx>::entry,
    .caxpy_xmaz = blas::Instances<blas::CaxpyXmaz>::entry,
    .cxpaypbz = blas::Instances<blas::Cxpaypbz>::entry,
    .caxpbypz_ymbw = blas::Instances<blas::CaxpbypzYmbw>::entry,
};

} // namespace quda::QUDA_TARGET_NAMESPACE
