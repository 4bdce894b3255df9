/// Linear algebra on whole spinor fields of both parities, as the library launches it (lib/ops/blas/blas.h, which says
/// what each function does), and as plain loops on the host's fields. Fields are multiples of the host's spinors, so
/// that a formula on numbers says what to expect. Runs that change a field in place take turns with the sign of a, so
/// that numbers stay in range.

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <type_traits>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"
#include "ops/blas/block.h"

namespace quda::bench
{

namespace
{

  using Number = std::complex<double>;
  using Fields = std::vector<ColorSpinorField>;
  using Plain = std::vector<reference::Spinors>;
  using reference::Spinor;

  constexpr int operands = 5; // x, y, z, w, u
  constexpr double a = 0.25, b = 0.5;
  const Number ca(0.25, -0.125), cb(0.5, 0.25);
  // of the host's spinors, what x, y, .. are at first
  const std::array<Number, operands> multiple = {1, {2, -1}, {-3, 0.5}, {0.5, 0.5}, {1, 1}};

  Number dot(Number v, Number w) { return std::conj(v) * w; }
  double square(Number v) { return std::norm(v); }
  Number dot(const Spinor &v, const Spinor &w) { return (v.conjugate().array() * w.array()).sum(); }
  double square(const Spinor &v) { return v.squaredNorm(); }

  template <class T> using Operands = std::array<T, operands>;
  enum Operand { x, y, z, w, u };

  /// What gives a sum or nothing, as what gives a sum.
  template <class... T, class F> std::function<Number(T...)> with_sum(F f)
  {
    return [f](T... operand) -> Number {
      if constexpr (std::is_void_v<std::invoke_result_t<F, T...>>)
        return f(operand...), 0;
      else
        return f(operand...);
    };
  }

  struct Formula {
    const char *name, *table;
    Shape shape;
    const char *reads, *writes; // operands by letter
    double flops;               // of a real
    bool sums;
    std::function<Number(Fields &, double sign)> run;
    std::function<Number(Operands<Number> &)> numbers; // with sign 1, the sum in units of the spinors' norm
    std::function<Number(Operands<Spinor> &)> spinors; // at one site

    /// of: the library's function; plain: the formula on operands, numbers or spinors, and the sum that it gives.
    template <class Run, class Plain> Formula(const char *name, const char *table, Shape shape, const char *reads,
                                              const char *writes, double flops, Run of, Plain plain)
        : name(name)
        , table(table)
        , shape(shape)
        , reads(reads)
        , writes(writes)
        , flops(flops)
        , sums(!std::is_void_v<std::invoke_result_t<Run, Fields &, double>>)
        , run(with_sum<Fields &, double>(of))
        , numbers(with_sum<Operands<Number> &>(plain))
        , spinors(with_sum<Operands<Spinor> &>(plain))
    {
    }
  };

  /// Two sums as one number.
  Number both(const blas::DotNorm &s) { return s.dot + s.norm2; }
  Number both(const blas::NormChange &s) { return {s.norm2, s.change}; }
  Number both(const std::vector<blas::NormChange> &all)
  {
    Number sum = 0;
    for (const blas::NormChange &s : all) sum += both(s);
    return sum;
  }

  const Formula formulas[] = {
      {"copy", "copy", Shape::copy, "x", "y", 0, [](Fields &f, double) { blas::copy(f[1], f[0]); },
       [](auto &v) { v[y] = v[x]; }},
      {"zero", "zero", Shape::other, "", "x", 0, [](Fields &f, double) { blas::zero(f[0]); },
       [](auto &v) { v[x] *= 0.0; }},
      {"ax", "ax", Shape::update, "x", "x", 1, [](Fields &f, double) { blas::ax(-1.0, f[0]); },
       [](auto &v) { v[x] = -v[x]; }},
      {"triad", "axpby", Shape::triad, "xy", "z", 2, [](Fields &f, double) { blas::axpyz(a, f[0], f[1], f[2]); },
       [](auto &v) { v[z] = a * v[x] + v[y]; }},
      {"axpy", "axpby", Shape::update, "xy", "y", 2, [](Fields &f, double s) { blas::axpy(s * a, f[0], f[1]); },
       [](auto &v) { v[y] += a * v[x]; }},
      {"xpay", "axpby", Shape::update, "xy", "y", 2, [](Fields &f, double) { blas::xpay(f[0], a, f[1]); },
       [](auto &v) { v[y] = v[x] + a * v[y]; }},
      {"axpby", "axpby", Shape::update, "xy", "y", 3, [](Fields &f, double) { blas::axpby(a, f[0], b, f[1]); },
       [](auto &v) { v[y] = a * v[x] + b * v[y]; }},
      {"caxpy", "caxpy", Shape::update, "xy", "y", 4, [](Fields &f, double s) { blas::caxpy(s * ca, f[0], f[1]); },
       [](auto &v) { v[y] += ca * v[x]; }},
      {"caxpby", "caxpby", Shape::update, "xy", "y", 7, [](Fields &f, double) { blas::caxpby(ca, f[0], cb, f[1]); },
       [](auto &v) { v[y] = ca * v[x] + cb * v[y]; }},
      {"axpyZpbx", "axpy_bzpcx", Shape::update, "xyz", "xy", 4,
       [](Fields &f, double s) { blas::axpyZpbx(s * a, f[0], f[1], f[2], b); },
       [](auto &v) { v[y] += a * v[x], v[x] = v[z] + b * v[x]; }},
      {"caxpyXmaz", "caxpy_xmaz", Shape::update, "xyz", "xy", 8,
       [](Fields &f, double s) { blas::caxpyXmaz(s * ca, f[0], f[1], f[2]); },
       [](auto &v) { v[y] += ca * v[x], v[x] -= ca * v[z]; }},
      {"cxpaypbz", "cxpaypbz", Shape::update, "xyz", "z", 8,
       [](Fields &f, double) { blas::cxpaypbz(f[0], ca, f[1], cb, f[2]); },
       [](auto &v) { v[z] = v[x] + ca * v[y] + cb * v[z]; }},
      {"caxpbypzYmbw", "caxpbypz_ymbw", Shape::update, "xyzw", "yz", 12,
       [](Fields &f, double s) { blas::caxpbypzYmbw(s * ca, f[0], s * cb, f[1], f[2], f[3]); },
       [](auto &v) { v[z] += ca * v[x] + cb * v[y], v[y] -= cb * v[w]; }},
      {"norm2", "norm2", Shape::dot, "x", "", 2, [](Fields &f, double) { return blas::norm2(f[0]); },
       [](auto &v) { return square(v[x]); }},
      {"redot", "redot", Shape::dot, "xy", "", 2, [](Fields &f, double) { return blas::redot(f[0], f[1]); },
       [](auto &v) { return dot(v[x], v[y]).real(); }},
      {"cdot", "cdot", Shape::dot, "xy", "", 4, [](Fields &f, double) { return blas::cdot(f[0], f[1]); },
       [](auto &v) { return dot(v[x], v[y]); }},
      {"cDotNormA", "cdot_norm", Shape::dot, "xy", "", 6,
       [](Fields &f, double) { return both(blas::cDotNormA(f[0], f[1])); },
       [](auto &v) { return dot(v[x], v[y]) + square(v[x]); }},
      {"normChange", "norm_change", Shape::dot, "xy", "", 5,
       [](Fields &f, double) { return both(blas::block::normChange(f[0], f[1])); },
       [](auto &v) { return Number(square(v[x]), square(v[x]) - dot(v[x], v[y]).real()); }},
      {"axpyNorm2", "axpby_norm2", Shape::update, "xy", "y", 4,
       [](Fields &f, double s) { return blas::axpyNorm2(s * a, f[0], f[1]); },
       [](auto &v) { return v[y] += a * v[x], square(v[y]); }},
      {"axpyReDot", "axpy_redot", Shape::update, "xy", "y", 4,
       [](Fields &f, double s) { return blas::axpyReDot(s * a, f[0], f[1]); },
       [](auto &v) { return v[y] += a * v[x], dot(v[x], v[y]).real(); }},
      {"axpyCGNorm", "axpy_cg_norm", Shape::update, "xy", "y", 7,
       [](Fields &f, double s) { return both(blas::axpyCGNorm(s * a, f[0], f[1])); },
       [](auto &v) { return v[y] += a * v[x], Number(square(v[y]), a * dot(v[y], v[x]).real()); }},
      {"caxpyNorm", "caxpy_norm", Shape::update, "xy", "y", 6,
       [](Fields &f, double s) { return blas::caxpyNorm(s * ca, f[0], f[1]); },
       [](auto &v) { return v[y] += ca * v[x], square(v[y]); }},
      {"caxpyDot", "caxpy_dot", Shape::update, "xyz", "y", 8,
       [](Fields &f, double s) { return blas::caxpyDot(s * ca, f[0], f[1], f[2]); },
       [](auto &v) { return v[y] += ca * v[x], dot(v[z], v[y]); }},
      {"caxpyXmazNorm", "caxpy_xmaz_norm", Shape::update, "xyz", "xy", 10,
       [](Fields &f, double s) { return blas::caxpyXmazNorm(s * ca, f[0], f[1], f[2]); },
       [](auto &v) { return v[y] += ca * v[x], v[x] -= ca * v[z], square(v[x]); }},
      {"caxpbypzYmbwDotNorm", "caxpbypz_ymbw_dot_norm", Shape::update, "xyzwu", "yz", 18,
       [](Fields &f, double s) {
         return both(blas::caxpbypzYmbwDotNorm(s * ca, f[0], s * cb, f[1], f[2], f[3], f[4]));
       },
       [](auto &v) { return v[z] += ca * v[x] + cb * v[y], v[y] -= cb * v[w], dot(v[u], v[y]) + square(v[y]); }},
  };

  /// Operands up to the last that is named.
  int fields_of(const Formula &formula)
  {
    constexpr const char *letters = "xyzwu";
    int n = 0;
    for (int k = 0; k < operands; k++)
      if (std::strchr(formula.reads, letters[k]) || std::strchr(formula.writes, letters[k])) n = k + 1;
    return n;
  }
  bool writes(const Formula &formula, int k) { return std::strchr(formula.writes, "xyzwu"[k]) != nullptr; }

  Work work_of(const Formula &formula, const Setting &setting)
  {
    const double field = setting.spinors();
    return {.flops = formula.flops * 24 * setting.sites() * setting.nrhs,
            .read = static_cast<double>(std::strlen(formula.reads)) * field,
            .written = static_cast<double>(std::strlen(formula.writes)) * field,
            .touched = fields_of(formula) * field,
            .shape = formula.shape};
  }

  class Blas : public Kernel
  {
  public:
    Blas(const Setting &setting, const Formula &formula)
        : formula_(formula)
        , host_(*setting.host)
    {
      for (int f = 0; f < fields_of(formula); f++) {
        field_.push_back(host_.native_spinors(setting.precision, setting.nrhs));
        fill(f);
      }
    }
    void run() override
    {
      sum_ = formula_.run(field_, sign_);
      sign_ = -sign_;
    }
    bool check() override
    {
      run_afresh();
      Operands<Number> expected = multiple;
      const Number sum = formula_.numbers(expected);
      bool good = true;
      for (std::size_t f = 0; f < field_.size(); f++)
        good = good && host_.agrees(field_[f], [&](int p, std::size_t x) {
          return Spinor(expected[f] * host_.spinors()[p * host_.lattice().half() + x]);
        });
      return good && std::abs(sum_ - sum * unit()) <= HostData::tolerance(field_[0].precision()) * unit();
    }
    Checksum checksum() override
    {
      run_afresh();
      Checksum all;
      for (std::size_t f = 0; f < field_.size(); f++)
        if (writes(formula_, static_cast<int>(f))) all = checksum_of(field_[f]);
      const double scale = all.count() > 0 ? reference::norm2(host_.spinors()) / unit() : 1 / unit();
      all.add(sum_.real(), scale);
      all.add(sum_.imag(), scale);
      return all;
    }

  private:
    void run_afresh()
    {
      sign_ = 1;
      for (std::size_t f = 0; f < field_.size(); f++) fill(static_cast<int>(f));
      run();
    }
    /// Of all right-hand sides, the norm of what they are multiples of.
    double unit() const
    {
      double unit = 0;
      for (int i = 0; i < field_[0].inner(); i++) unit += (i + 1.0) * (i + 1.0) * reference::norm2(host_.spinors());
      return unit;
    }
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
        , host_(*setting.host)
    {
      refresh();
    }
    void refresh() override
    {
      field_.assign(operands, host_.spinors());
      for (int f = 0; f < operands; f++)
        for (Spinor &psi : field_[f]) psi *= multiple[f];
    }
    void run() override
    {
      double re = 0, im = 0;
#pragma omp parallel for reduction(+ : re, im)
      for (std::size_t i = 0; i < field_[0].size(); i++) {
        Operands<Spinor> v;
        for (int f = 0; f < operands; f++) v[f] = field_[f][i];
        const Number sum = formula_.spinors(v);
        for (int f = 0; f < operands; f++)
          if (writes(formula_, f)) field_[f][i] = v[f];
        re += sum.real();
        im += sum.imag();
      }
      sum_ = {re, im};
    }
    Checksum checksum() override
    {
      refresh();
      run();
      Checksum all;
      for (int f = 0; f < operands; f++)
        if (writes(formula_, f)) all = checksum_of(field_[f]);
      const double scale = all.count() > 0 ? 1 : 1 / reference::norm2(host_.spinors());
      all.add(sum_.real(), scale);
      all.add(sum_.imag(), scale);
      return all;
    }

  private:
    const Formula &formula_;
    HostData &host_;
    Plain field_;
    Number sum_;
  };

  struct RegisterAll {
    RegisterAll()
    {
      for (const Formula &formula : formulas)
        Registered(
            {.name = formula.name,
             .tables = {std::string("blas.") + formula.table},
             .features = std::string(formula.sums ? "exact sums" : "") + (formula.sums && *formula.writes ? ", " : "") +
                         (*formula.writes ? "streaming stores" : ""),
             .work = [&](const Setting &setting) { return work_of(formula, setting); },
             .make = [&](const Setting &setting) { return std::make_unique<Blas>(setting, formula); },
             .reference = [&](const Setting &setting) { return std::make_unique<PlainBlas>(setting, formula); }});
    }
  } const register_all;

} // namespace

} // namespace quda::bench
