/// Products and inverses of many small dense matrices on the host.
///
///   blasGEMMQuda  : C = alpha op(A) op(B) + beta C
///   blasLUInvQuda : A^-1, by LU decomposition
/// Calls are local to a rank and use no device; the choices of `native` in QUDA are one and the same here.

#include "quda.h"

#include "core/profile.h"
#include "dense/gemm.h"
#include "dense/inverse.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"

#include <algorithm>
#include <cstring>

namespace quda
{

namespace
{

  using P = QudaBLASParam;

  std::complex<double> complex_of(const double _Complex &z)
  {
    double parts[2];
    std::memcpy(parts, &z, sizeof parts);
    return {parts[0], parts[1]};
  }

  /// One of the three arrays, with its names in messages and its parameters.
  struct Array {
    const char *matrix, *leading_name;
    dense::Shape used;
    int op, leading, offset, stride;
  };

  /// Layout of its matrices. Runs shorter than a row or column would overlap.
  dense::Matrices check_array(const char *function, QudaBLASDataOrder data_order, const Array &array)
  {
    const auto order = static_cast<dense::Order>(data_order);
    const auto op = static_cast<dense::Op>(array.op);
    const dense::Shape shape = dense::stored(op, array.used);
    const int least = dense::length_of_run(order, shape);
    if (array.leading < least)
      fail(ErrorKind::bad_argument, text("%s: QudaBLASParam.%s = %d, of %s stored as %d x %d with data_order = %s; "
                                         "allowed: %d or greater",
                                         function, array.leading_name, array.leading, array.matrix, shape.rows,
                                         shape.columns, value_text(data_order).c_str(), least));
    const long long numbers = static_cast<long long>(array.leading) * dense::number_of_runs(order, shape);
    return {op, array.leading, array.offset, std::max(1, array.stride) * numbers};
  }

  /// Number of products: batch_count, fewer if a stride skips matrices; the array with the largest stride decides.
  long long number_of_products(const char *function, const P &param)
  {
    const int stride = std::max({1, param.a_stride, param.b_stride, param.c_stride});
    if (param.batch_count < stride)
      fail(
          ErrorKind::bad_argument,
          text(
              "%s: QudaBLASParam.batch_count = %d with a_stride = %d, b_stride = %d, c_stride = %d is not one product; "
              "allowed: %d or greater",
              function, param.batch_count, param.a_stride, param.b_stride, param.c_stride, stride));
    return param.batch_count / stride;
  }

  dense::Gemm check_products(const char *function, const P *param)
  {
    check_struct(function, param);
    check(function, *param, &P::blas_type, &P::trans_a, &P::trans_b, &P::m, &P::n, &P::k, &P::lda, &P::ldb, &P::ldc,
          &P::a_offset, &P::b_offset, &P::c_offset, &P::a_stride, &P::b_stride, &P::c_stride, &P::alpha, &P::beta,
          &P::batch_count, &P::data_type, &P::data_order);
    const auto [m, n, k] = std::tuple(param->m, param->n, param->k);
    const auto checked = [&](const Array &array) { return check_array(function, param->data_order, array); };
    return {static_cast<dense::Scalar>(param->data_type),
            static_cast<dense::Order>(param->data_order),
            m,
            n,
            k,
            checked({"A", "lda", {m, k}, param->trans_a, param->lda, param->a_offset, param->a_stride}),
            checked({"B", "ldb", {k, n}, param->trans_b, param->ldb, param->b_offset, param->b_stride}),
            checked({"C", "ldc", {m, n}, QUDA_BLAS_OP_N, param->ldc, param->c_offset, param->c_stride}),
            complex_of(param->alpha),
            complex_of(param->beta),
            number_of_products(function, *param)};
  }

  void invert_all(const char *function, void *Ainv, const void *A, const P &param)
  {
    const auto none =
        dense::invert(static_cast<dense::Scalar>(param.data_type), param.inv_mat_size, param.batch_count, A, Ainv);
    if (!none) return;
    const bool single = param.data_type == QUDA_BLAS_DATATYPE_S || param.data_type == QUDA_BLAS_DATATYPE_C;
    fail(
        ErrorKind::bad_argument,
        text("%s: A, matrix %lld of 0 to %d, %d x %d: %s; allowed: finite matrices that have an inverse. Ainv is as it "
             "was",
             function, none->number, param.batch_count - 1, param.inv_mat_size, param.inv_mat_size,
             !none->finite ? "NaN or infinity is among its numbers"
             : single      ? "singular in single precision"
                           : "singular in double precision"));
  }

} // namespace

} // namespace quda

extern "C" void blasGEMMQuda(void *arrayA, void *arrayB, void *arrayC, QudaBoolean native, QudaBLASParam *param)
{
  const char *function = __func__;
  quda::guard(function, [&] {
    const auto checked = [&] {
      const quda::PhaseScope phase(quda::Phase::preamble);
      quda::require_initialised(function);
      quda::check_not_null(function, "arrayA", arrayA);
      quda::check_not_null(function, "arrayB", arrayB);
      quda::check_not_null(function, "arrayC", arrayC);
      quda::check_argument(function, "native", native);
      return quda::check_products(function, param);
    };
    const quda::dense::Gemm products = checked();
    const quda::PhaseScope phase(quda::Phase::compute);
    quda::dense::multiply(products, arrayA, arrayB, arrayC);
  });
}

extern "C" void blasLUInvQuda(void *Ainv, void *A, QudaBoolean use_native, QudaBLASParam *param)
{
  const char *function = __func__;
  quda::guard(function, [&] {
    {
      using P = QudaBLASParam;
      const quda::PhaseScope phase(quda::Phase::preamble);
      quda::require_initialised(function);
      quda::check_not_null(function, "Ainv", Ainv);
      quda::check_not_null(function, "A", A);
      quda::check_argument(function, "use_native", use_native);
      quda::check_struct(function, param);
      quda::check(function, *param, &P::blas_type, &P::inv_mat_size, &P::batch_count, &P::data_type);
    }
    const quda::PhaseScope phase(quda::Phase::compute);
    quda::invert_all(function, Ainv, A, *param);
  });
}
