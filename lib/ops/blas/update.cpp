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
  if (!x.whole()) fail(ErrorKind::unsupported, "blas::zero: x is some columns of a field, which is not supported");
  target().clear(x.data(), x.bytes());
  x.mark_written();
}

void copy(ColorSpinorField &z, const ColorSpinorField &x)
{
  launch({"copy", blas_table().copy, {{{"x", &x}, {}, {"z", &z}}}, {}, 0}, nullptr);
  z.mark_written();
}

void ax(double a, ColorSpinorField &x)
{
  launch({"ax", blas_table().ax, {{{"x", &x}, {}, {"x", &x}}}, {a}, 2}, nullptr);
  x.mark_written();
}

void axpy(double a, const ColorSpinorField &x, ColorSpinorField &y)
{
  launch({"axpy", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 4}, nullptr);
  y.mark_written();
}

void xpay(const ColorSpinorField &x, double a, ColorSpinorField &y)
{
  // the formula fuses its first product, so y goes first
  launch({"xpay", blas_table().axpby, {{{"y", &y}, {"x", &x}, {"y", &y}}}, {a, 1}, 4}, nullptr);
  y.mark_written();
}

void axpby(double a, const ColorSpinorField &x, double b, ColorSpinorField &y)
{
  launch({"axpby", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, b}, 6}, nullptr);
  y.mark_written();
}

void axpyz(double a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z)
{
  launch({"axpyz", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, 1}, 4}, nullptr);
  z.mark_written();
}

void axpbyz(double a, const ColorSpinorField &x, double b, const ColorSpinorField &y, ColorSpinorField &z)
{
  launch({"axpbyz", blas_table().axpby, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, b}, 6}, nullptr);
  z.mark_written();
}

void caxpy(Complex a, const ColorSpinorField &x, ColorSpinorField &y)
{
  launch({"caxpy", blas_table().caxpy, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a}, 8}, nullptr);
  y.mark_written();
}

void caxpby(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y)
{
  launch({"caxpby", blas_table().caxpby, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, b}, 14}, nullptr);
  y.mark_written();
}

void axpyZpbx(double a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z, double b)
{
  launch({"axpyZpbx", blas_table().axpy_bzpcx, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, 1, b}, 8}, nullptr);
  x.mark_written();
  y.mark_written();
}

void axpyBzpcx(double a, ColorSpinorField &x, ColorSpinorField &y, double b, const ColorSpinorField &z, double c)
{
  launch({"axpyBzpcx", blas_table().axpy_bzpcx, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a, b, c}, 10}, nullptr);
  x.mark_written();
  y.mark_written();
}

void caxpyXmaz(Complex a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z)
{
  launch({"caxpyXmaz", blas_table().caxpy_xmaz, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a}, 16}, nullptr);
  x.mark_written();
  y.mark_written();
}

void cxpaypbz(const ColorSpinorField &x, Complex a, const ColorSpinorField &y, Complex b, ColorSpinorField &z)
{
  launch({"cxpaypbz", blas_table().cxpaypbz, {{{"x", &x}, {"y", &y}, {"z", &z}, {"z", &z}}}, {a, b}, 16}, nullptr);
  z.mark_written();
}

void caxpbypzYmbw(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y, ColorSpinorField &z,
                  const ColorSpinorField &w)
{
  launch({"caxpbypzYmbw", blas_table().caxpbypz_ymbw, {{{"x", &x}, {"y", &y}, {"z", &z}, {"w", &w}}}, {a, b}, 24},
         nullptr);
  y.mark_written();
  z.mark_written();
}

} // namespace quda::blas
