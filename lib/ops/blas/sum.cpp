#include "ops/blas/blas.h"

#include "ops/blas/formula.h"

namespace quda::blas
{

double norm2(const ColorSpinorField &x)
{
  return launch_sums<1>({"norm2", blas_table().norm2, {{{"x", &x}}}, {}, 4})[0];
}

double redot(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return launch_sums<1>({"redot", blas_table().redot, {{{"x", &x}, {"y", &y}}}, {}, 4})[0];
}

Complex cdot(const ColorSpinorField &x, const ColorSpinorField &y)
{
  const auto s = launch_sums<2>({"cdot", blas_table().cdot, {{{"x", &x}, {"y", &y}}}, {}, 8});
  return {s[0], s[1]};
}

DotNorm cDotNormA(const ColorSpinorField &x, const ColorSpinorField &y)
{
  const auto s = launch_sums<3>({"cDotNormA", blas_table().cdot_norm, {{{"x", &x}, {"y", &y}}}, {}, 12});
  return {{s[0], s[1]}, s[2]};
}

DotNorm cDotNormB(const ColorSpinorField &x, const ColorSpinorField &y)
{
  // <y, x> is conj <x, y> to the bit
  const auto s = launch_sums<3>({"cDotNormB", blas_table().cdot_norm, {{{"y", &y}, {"x", &x}}}, {}, 12});
  return {{s[0], -s[1]}, s[2]};
}

double axpyNorm2(double a, const ColorSpinorField &x, ColorSpinorField &y)
{
  const auto s =
      launch_sums<1>({"axpyNorm2", blas_table().axpby_norm2, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 8});
  y.mark_written();
  return s[0];
}

double xmyNorm(const ColorSpinorField &x, ColorSpinorField &y)
{
  const auto s = launch_sums<1>({"xmyNorm", blas_table().axpby_norm2, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {1, -1}, 6});
  y.mark_written();
  return s[0];
}

double axpyReDot(double a, const ColorSpinorField &x, ColorSpinorField &y)
{
  const auto s = launch_sums<1>({"axpyReDot", blas_table().axpy_redot, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 8});
  y.mark_written();
  return s[0];
}

NormChange axpyCGNorm(double a, const ColorSpinorField &x, ColorSpinorField &y)
{
  const auto s =
      launch_sums<2>({"axpyCGNorm", blas_table().axpy_cg_norm, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 14});
  y.mark_written();
  return {s[0], s[1]};
}

double caxpyNorm(Complex a, const ColorSpinorField &x, ColorSpinorField &y)
{
  const auto s = launch_sums<1>({"caxpyNorm", blas_table().caxpy_norm, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a}, 12});
  y.mark_written();
  return s[0];
}

Complex caxpyDot(Complex a, const ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z)
{
  const auto s =
      launch_sums<2>({"caxpyDot", blas_table().caxpy_dot, {{{"x", &x}, {"y", &y}, {"y", &y}, {"z", &z}}}, {a}, 16});
  y.mark_written();
  return {s[0], s[1]};
}

double caxpyXmazNorm(Complex a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z)
{
  const auto s =
      launch_sums<1>({"caxpyXmazNorm", blas_table().caxpy_xmaz_norm, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a}, 20});
  x.mark_written();
  y.mark_written();
  return s[0];
}

DotNorm caxpbypzYmbwDotNorm(Complex a, const ColorSpinorField &x, Complex b, ColorSpinorField &y, ColorSpinorField &z,
                            const ColorSpinorField &w, const ColorSpinorField &u)
{
  const auto s = launch_sums<3>({"caxpbypzYmbwDotNorm",
                                 blas_table().caxpbypz_ymbw_dot_norm,
                                 {{{"x", &x}, {"y", &y}, {"z", &z}, {"w", &w}, {"u", &u}}},
                                 {a, b},
                                 36});
  y.mark_written();
  z.mark_written();
  return {{s[0], s[1]}, s[2]};
}

} // namespace quda::blas
