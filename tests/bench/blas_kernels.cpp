/// Linear algebra on whole spinor fields of both parities, as the library launches it (lib/ops/blas/blas.h), and as
/// plain loops on the host's fields.
///   copy z = x      triad z = a x + y     axpy y += a x       xpay y = x + a y     axpby y = a x + b y
///   caxpy y += a x  norm2 |x|^2           redot Re <x, y>     cdot <x, y>          axpyNorm2 y += a x; |y|^2
/// Fields are multiples of the host's spinors. Runs that change a field in place take turns with the sign of a, so that
/// numbers stay in range.

#include <cmath>
#include <complex>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"

namespace quda::bench
{

namespace
{

  using Number = std::complex<double>;
  using Fields = std::vector<ColorSpinorField>; // x, y, z
  using Plain = std::vector<reference::Spinors>;

  constexpr double a = 0.25, b = 0.5;
  const Number ca(0.25, -0.125);
  const Number multiple[3] = {1, {2, -1}, {-3, 0.5}}; // of the host's spinors, what x, y, z are at first

  struct Formula {
    const char *name;
    Shape shape;
    int fields;  // distinct
    int traffic; // of fields: read and written
    int flops;   // of a real
    Number (*run)(Fields &, double sign);
    void (*plain)(Plain &);
    int result;      // the field written, -1 for none
    Number expected; // as a multiple of the host's spinors, and the sum in units of their norm
    Number sum;
  };

  template <class Body> void for_spinors(Plain &f, const Body &body)
  {
#pragma omp parallel for
    for (std::size_t i = 0; i < f[0].size(); i++) body(f[0][i], f[1][i], f[2][i]);
  }

  using reference::Spinor;
  const Number x0 = multiple[0], y0 = multiple[1];
  volatile double sink; // of plain sums

  const Formula formulas[] = {
      {"copy", Shape::copy, 2, 2, 0, [](Fields &f, double) { return blas::copy(f[1], f[0]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y = x; }); }, 1, x0, 0},
      {"triad", Shape::triad, 3, 3, 2, [](Fields &f, double) { return blas::axpyz(a, f[0], f[1], f[2]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, const Spinor &y, Spinor &z) { z = a * x + y; }); }, 2,
       a *x0 + y0, 0},
      {"axpy", Shape::update, 2, 3, 2,
       [](Fields &f, double sign) { return blas::axpy(sign * a, f[0], f[1]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y += a * x; }); }, 1, a *x0 + y0, 0},
      {"xpay", Shape::update, 2, 3, 2, [](Fields &f, double) { return blas::xpay(f[0], a, f[1]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y = x + a * y; }); }, 1, x0 + a *y0, 0},
      {"axpby", Shape::update, 2, 3, 3, [](Fields &f, double) { return blas::axpby(a, f[0], b, f[1]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y = a * x + b * y; }); }, 1,
       a *x0 + b *y0, 0},
      {"caxpy", Shape::update, 2, 3, 4,
       [](Fields &f, double sign) { return blas::caxpy(sign * ca, f[0], f[1]), Number(); },
       [](Plain &f) { for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y += ca * x; }); }, 1, ca *x0 + y0, 0},
      {"norm2", Shape::dot, 1, 1, 2, [](Fields &f, double) { return Number(blas::norm2(f[0])); },
       [](Plain &f) { sink = reference::norm2(f[0]); }, -1, 0, std::norm(x0)},
      {"redot", Shape::dot, 2, 2, 2, [](Fields &f, double) { return Number(blas::redot(f[0], f[1])); },
       [](Plain &f) { sink = reference::inner_product(f[0], f[1]).real(); }, -1, 0, (std::conj(x0) * y0).real()},
      {"cdot", Shape::dot, 2, 2, 4, [](Fields &f, double) { return blas::cdot(f[0], f[1]); },
       [](Plain &f) { sink = reference::inner_product(f[0], f[1]).real(); }, -1, 0, std::conj(x0) * y0},
      {"axpyNorm2", Shape::update, 2, 3, 4,
       [](Fields &f, double sign) { return Number(blas::axpyNorm2(sign * a, f[0], f[1])); },
       [](Plain &f) {
         for_spinors(f, [](const Spinor &x, Spinor &y, Spinor &) { y += a * x; });
         sink = reference::norm2(f[1]);
       },
       1, a *x0 + y0, std::norm(a *x0 + y0)},
  };

  class Blas : public Kernel
  {
  public:
    Blas(const Setting &setting, const Formula &formula)
        : formula_(formula)
        , host_(*setting.host)
    {
      for (int f = 0; f < formula.fields; f++) {
        field_.push_back(host_.native_spinors(setting.precision, setting.nrhs));
        fill(f);
      }
    }
    void run() override
    {
      sum_ = formula_.run(field_, sign_);
      sign_ = -sign_;
    }
    double flops() const override { return formula_.flops * reals(); }
    double bytes() const override { return formula_.traffic * reals() * bytes_of(field_[0].precision()); }
    double working_set() const override { return formula_.fields * reals() * bytes_of(field_[0].precision()); }
    Shape shape() const override { return formula_.shape; }

    bool check() override
    {
      sign_ = 1;
      if (formula_.result > 0) fill(formula_.result);
      run();
      const bool fields = formula_.result < 0 || host_.agrees(field_[formula_.result], [&](int p, std::size_t x) {
        const reference::Spinor &psi = host_.spinors()[p * host_.lattice().half() + x];
        return reference::Spinor(formula_.expected * psi);
      });
      double unit = 0;
      for (int i = 0; i < field_[0].inner(); i++) unit += (i + 1.0) * (i + 1.0) * reference::norm2(host_.spinors());
      return fields && std::abs(sum_ - formula_.sum * unit) <= HostData::tolerance(field_[0].precision()) * unit;
    }

  private:
    double reals() const { return static_cast<double>(field_[0].sites()) * field_[0].inner() * field_[0].reals(); }
    void fill(int f)
    {
      host_.fill(field_[f]);
      blas::caxpby(0, field_[f], multiple[f], field_[f]);
    }

    const Formula &formula_;
    HostData &host_;
    Fields field_;
    double sign_ = 1;
    Number sum_;
  };

  class PlainBlas : public Kernel
  {
  public:
    PlainBlas(const Setting &setting, const Formula &formula)
        : formula_(formula)
        , field_(3, setting.host->spinors())
    {
    }
    void run() override { formula_.plain(field_); }
    double flops() const override { return formula_.flops * reals(); }
    double bytes() const override { return formula_.traffic * reals() * sizeof(double); }
    double working_set() const override { return formula_.fields * reals() * sizeof(double); }
    Shape shape() const override { return formula_.shape; }
    void refresh() override { field_[1] = field_[0]; }
    bool check() override { return true; }

  private:
    double reals() const { return 24.0 * static_cast<double>(field_[0].size()); }

    const Formula &formula_;
    Plain field_;
  };

  struct RegisterAll {
    RegisterAll()
    {
      for (const Formula &formula : formulas)
        Registered(formula.name, Variant::library, Needs::spinors,
                   [&](const Setting &setting) { return std::make_unique<Blas>(setting, formula); });
      for (const Formula &formula : formulas)
        Registered(formula.name, Variant::reference, Needs::spinors,
                   [&](const Setting &setting) { return std::make_unique<PlainBlas>(setting, formula); });
    }
  } const register_all;

} // namespace

} // namespace quda::bench
