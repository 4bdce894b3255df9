#include <cmath>

#include "ops/blas/block.h"
#include "ops/blas/formula.h"

namespace quda::blas
{

namespace
{

  /// Each sum, defined once for whole fields and for right-hand sides.
  namespace sums
  {

    using Field = const ColorSpinorField;

    std::vector<double> norm2(Sums over, Field &x)
    {
      return launch({"norm2", blas_table().norm2, {{{"x", &x}}}, {}, 4}, over);
    }

    Request re_dot(Field &x, Field &y) { return {"redot", blas_table().redot, {{{"x", &x}, {"y", &y}}}, {}, 4}; }

    std::vector<double> redot(Sums over, Field &x, Field &y) { return launch(re_dot(x, y), over); }

    std::vector<double> cdot(Sums over, Field &x, Field &y)
    {
      return launch({"cdot", blas_table().cdot, {{{"x", &x}, {"y", &y}}}, {}, 8}, over);
    }

    std::vector<double> cDotNormA(Sums over, Field &x, Field &y)
    {
      return launch({"cDotNormA", blas_table().cdot_norm, {{{"x", &x}, {"y", &y}}}, {}, 12}, over);
    }

    Request dot_norm_b(Field &x, Field &y)
    {
      return {"cDotNormB", blas_table().cdot_norm, {{{"y", &y}, {"x", &x}}}, {}, 12};
    }

    std::vector<double> cDotNormB(Sums over, Field &x, Field &y)
    {
      // <y, x> is conj <x, y> to the bit
      auto s = launch(dot_norm_b(x, y), over);
      for (std::size_t i = 1; i < s.size(); i += 3) s[i] = -s[i];
      return s;
    }

    std::vector<double> axpyNorm2(Sums over, const Coefficients &a, Field &x, Field &y)
    {
      return launch({"axpyNorm2", blas_table().axpby_norm2, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 8}, over);
    }

    std::vector<double> xmyNorm(Sums over, Field &x, Field &y)
    {
      return launch({"xmyNorm", blas_table().axpby_norm2, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {1, -1}, 6}, over);
    }

    std::vector<double> axpyReDot(Sums over, const Coefficients &a, Field &x, Field &y)
    {
      return launch({"axpyReDot", blas_table().axpy_redot, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 8}, over);
    }

    std::vector<double> axpyCGNorm(Sums over, const Coefficients &a, Field &x, Field &y)
    {
      return launch({"axpyCGNorm", blas_table().axpy_cg_norm, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a, 1}, 14}, over);
    }

    std::vector<double> caxpyNorm(Sums over, const ComplexCoefficients &a, Field &x, Field &y)
    {
      return launch({"caxpyNorm", blas_table().caxpy_norm, {{{"x", &x}, {"y", &y}, {"y", &y}}}, {a}, 12}, over);
    }

    std::vector<double> caxpyDot(Sums over, const ComplexCoefficients &a, Field &x, Field &y, Field &z)
    {
      return launch({"caxpyDot", blas_table().caxpy_dot, {{{"x", &x}, {"y", &y}, {"y", &y}, {"z", &z}}}, {a}, 16},
                    over);
    }

    std::vector<double> caxpyXmazNorm(Sums over, const ComplexCoefficients &a, Field &x, Field &y, Field &z)
    {
      return launch({"caxpyXmazNorm", blas_table().caxpy_xmaz_norm, {{{"x", &x}, {"y", &y}, {"z", &z}}}, {a}, 20},
                    over);
    }

    std::vector<double> caxpbypzYmbwDotNorm(Sums over, const ComplexCoefficients &a, Field &x,
                                            const ComplexCoefficients &b, Field &y, Field &z, Field &w, Field &u)
    {
      return launch({"caxpbypzYmbwDotNorm",
                     blas_table().caxpbypz_ymbw_dot_norm,
                     {{{"x", &x}, {"y", &y}, {"z", &z}, {"w", &w}, {"u", &u}}},
                     {a, b},
                     36},
                    over);
    }

  } // namespace sums

  // Groups of numbers as typed results.

  std::vector<Complex> complex_numbers(const std::vector<double> &s)
  {
    std::vector<Complex> all;
    for (std::size_t i = 0; i < s.size(); i += 2) all.emplace_back(s[i], s[i + 1]);
    return all;
  }

  std::vector<DotNorm> dots_and_norms(const std::vector<double> &s)
  {
    std::vector<DotNorm> all;
    for (std::size_t i = 0; i < s.size(); i += 3) all.push_back({{s[i], s[i + 1]}, s[i + 2]});
    return all;
  }

  std::vector<NormChange> norms_and_changes(const std::vector<double> &s)
  {
    std::vector<NormChange> all;
    for (std::size_t i = 0; i < s.size(); i += 2) all.push_back({s[i], s[i + 1]});
    return all;
  }

} // namespace

double norm2(const ColorSpinorField &x) { return sums::norm2(Sums::whole, x)[0]; }

double redot(const ColorSpinorField &x, const ColorSpinorField &y) { return sums::redot(Sums::whole, x, y)[0]; }

Complex cdot(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return complex_numbers(sums::cdot(Sums::whole, x, y))[0];
}

DotNorm cDotNormA(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return dots_and_norms(sums::cDotNormA(Sums::whole, x, y))[0];
}

DotNorm cDotNormB(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return dots_and_norms(sums::cDotNormB(Sums::whole, x, y))[0];
}

double axpyNorm2(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::axpyNorm2(Sums::whole, a, x, y)[0];
}

double xmyNorm(const ColorSpinorField &x, ColorSpinorField &y) { return sums::xmyNorm(Sums::whole, x, y)[0]; }

double axpyReDot(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::axpyReDot(Sums::whole, a, x, y)[0];
}

NormChange axpyCGNorm(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return norms_and_changes(sums::axpyCGNorm(Sums::whole, a, x, y))[0];
}

double caxpyNorm(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::caxpyNorm(Sums::whole, a, x, y)[0];
}

Complex caxpyDot(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y,
                 const ColorSpinorField &z)
{
  return complex_numbers(sums::caxpyDot(Sums::whole, a, x, y, z))[0];
}

double caxpyXmazNorm(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y, const ColorSpinorField &z)
{
  return sums::caxpyXmazNorm(Sums::whole, a, x, y, z)[0];
}

DotNorm caxpbypzYmbwDotNorm(const ComplexCoefficients &a, const ColorSpinorField &x, const ComplexCoefficients &b,
                            ColorSpinorField &y, ColorSpinorField &z, const ColorSpinorField &w,
                            const ColorSpinorField &u)
{
  return dots_and_norms(sums::caxpbypzYmbwDotNorm(Sums::whole, a, x, b, y, z, w, u))[0];
}

} // namespace quda::blas

namespace quda::blas::block
{

std::vector<double> norm2(const ColorSpinorField &x) { return sums::norm2(Sums::each_rhs, x); }

std::vector<double> redot(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return sums::redot(Sums::each_rhs, x, y);
}

std::vector<Complex> cdot(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return complex_numbers(sums::cdot(Sums::each_rhs, x, y));
}

std::vector<DotNorm> cDotNormA(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return dots_and_norms(sums::cDotNormA(Sums::each_rhs, x, y));
}

std::vector<DotNorm> cDotNormB(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return dots_and_norms(sums::cDotNormB(Sums::each_rhs, x, y));
}

static std::vector<ExactLimbs> dots(const ColorSpinorField &x, const ColorSpinorField &y, const ColorSpinorField &z)
{
  std::vector<ExactLimbs> all = launch_here(sums::dot_norm_b(x, y), Sums::each_rhs),
                          more = launch_here(sums::re_dot(z, y), Sums::each_rhs);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

DotsUnderWay::DotsUnderWay(const ColorSpinorField &x, const ColorSpinorField &y, const ColorSpinorField &z)
    : sums_(x.lattice().communicator(), dots(x, y, z))
{
}

std::vector<DotsUnderWay::Dots> DotsUnderWay::finish()
{
  const std::vector<double> s = sums_.finish();
  const std::size_t n = s.size() / 4;
  std::vector<Dots> all;
  for (std::size_t j = 0; j < n; j++)
    all.push_back({{s[3 * j], -s[3 * j + 1]}, s[3 * j + 2], s[3 * n + j]}); // <y, x> is conj <x, y> to the bit
  return all;
}

std::vector<double> axpyNorm2(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::axpyNorm2(Sums::each_rhs, a, x, y);
}

std::vector<double> xmyNorm(const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::xmyNorm(Sums::each_rhs, x, y);
}

std::vector<double> axpyReDot(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::axpyReDot(Sums::each_rhs, a, x, y);
}

std::vector<NormChange> axpyCGNorm(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return norms_and_changes(sums::axpyCGNorm(Sums::each_rhs, a, x, y));
}

std::vector<double> caxpyNorm(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  return sums::caxpyNorm(Sums::each_rhs, a, x, y);
}

std::vector<Complex> caxpyDot(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y,
                              const ColorSpinorField &z)
{
  return complex_numbers(sums::caxpyDot(Sums::each_rhs, a, x, y, z));
}

std::vector<double> caxpyXmazNorm(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y,
                                  const ColorSpinorField &z)
{
  return sums::caxpyXmazNorm(Sums::each_rhs, a, x, y, z);
}

std::vector<DotNorm> caxpbypzYmbwDotNorm(const ComplexCoefficients &a, const ColorSpinorField &x,
                                         const ComplexCoefficients &b, ColorSpinorField &y, ColorSpinorField &z,
                                         const ColorSpinorField &w, const ColorSpinorField &u)
{
  return dots_and_norms(sums::caxpbypzYmbwDotNorm(Sums::each_rhs, a, x, b, y, z, w, u));
}

std::vector<NormChange> normChange(const ColorSpinorField &x, const ColorSpinorField &y)
{
  return norms_and_changes(
      launch({"normChange", blas_table().norm_change, {{{"x", &x}, {"y", &y}}}, {}, 10}, Sums::each_rhs));
}

std::vector<double> heavy_quark(const ColorSpinorField &x, const ColorSpinorField &r)
{
  auto s = launch({"heavy_quark", blas_table().ratio, {{{"x", &x}, {"r", &r}}}, {}, 8}, Sums::each_rhs);
  const double sites = static_cast<double>(x.lattice().global_volume()) * x.parities() / 2 * x.layers();
  for (double &sum : s) sum = std::sqrt(sum / sites);
  return s;
}

} // namespace quda::blas::block
