#include "ops/blas/blas.h"

#include "core/error.h"
#include "ops/blas/formula.h"
#include "targets/target.h"

namespace quda::blas
{

void zero(ColorSpinorField &x)
{
  if (!x.native())
    fail(ErrorKind::bad_argument,
         text("blas::zero: x has order = %d; native (0) is allowed", static_cast<int>(x.order())));
  // the bytes of some columns may end within others
  if (!x.whole() || (x.precision() != Precision::quarter && !x.owns_memory())) {
    launch({"zero", blas_table().zero, {{{"x", &x}}}, {}, 0});
    return;
  }
  target().clear(x.data(), x.bytes());
  x.mark_written();
}

void copy(ColorSpinorField &z, const ColorSpinorField &x)
{
  launch({"copy", blas_table().copy, {{{"x", &x}, {}, {"z", &z}}}, {}, 0});
}

void ax(const Coefficients &a, ColorSpinorField &x)
{
  launch({"ax", blas_table().ax, {{{"x", &x}, {}, {"x", &x}}}, {a}, 2});
}

void axpy(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  launch({"axpy", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 4});
}

void xpay(const ColorSpinorField &x, const Coefficients &a, ColorSpinorField &y)
{
  // the formula fuses its first product, so y goes first
  launch({"xpay", blas_table().axpby, {{{"y", &y}, {"x", &x}, {"y", &y}}}, {a, 1}, 4});
}

void axpby(const Coefficients &a, const ColorSpinorField &x, const Coefficients &b, ColorSpinorField &y)
{
  launch({"axpby", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, b}, 6});
}

void axpyz(const Coefficients &a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z)
{
  launch({"axpyz", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, 1}, 4});
}

void axpbyz(const Coefficients &a, const ColorSpinorField &x, const Coefficients &b, const ColorSpinorField &y,
            ColorSpinorField &z)
{
  launch({"axpbyz", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, b}, 6});
}

void caxpy(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  launch({"caxpy", blas_table().caxpy, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a}, 8});
}

void caxpby(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b, ColorSpinorField &y)
{
  launch({"caxpby", blas_table().caxpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, b}, 14});
}

void axpyZpbx(const Coefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z,
              const Coefficients &b)
{
  launch({"axpyZpbx", blas_table().axpy_bzpcx, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, 1, b}, 8});
}

void axpyBzpcx(const Coefficients &a, ColorSpinorField &x, ColorSpinorField &y, const Coefficients &b,
               const ColorSpinorField &z, const Coefficients &c)
{
  launch({"axpyBzpcx", blas_table().axpy_bzpcx, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, b, c}, 10});
}

void caxpyXmaz(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z)
{
  launch({"caxpyXmaz", blas_table().caxpy_xmaz, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a}, 16});
}

void cxpaypbz(const ColorSpinorField &x, const ComplexCoefficients &a, const ColorSpinorField &y,
              const ComplexCoefficients &b, ColorSpinorField &z)
{
  launch({"cxpaypbz", blas_table().cxpaypbz, {{{"x", &x}, {"y", &y}, {"z", &z}, {"z", &z}}}, {a, b}, 16});
}

void caxpbypzYmbw(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b,
                  ColorSpinorField &y, ColorSpinorField &z, const ColorSpinorField &w)
{
  launch({"caxpbypzYmbw", blas_table().caxpbypz_ymbw, {{{"x", &x}, {"y", &y}, {"z", &z}, {"w", &w}}}, {a, b}, 24});
}

} // namespace quda::blas
