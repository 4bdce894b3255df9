/// solve_bicgstab, solve_cg(_cut), solve_pipelined_cg: Wilson M x = b to 1e-10, even-odd prepared, iterated in the
/// precision of the case's name with true residuals in double; right-hand side i is i + 1 times the first. CG solves
/// the normal equations.
/// solve_shifts: M_pc^dag M_pc + s, ten shifts s from 1e-3 to 0.5, refined in that precision. A run is a whole solve,
/// copies of links aside. Flops are the operators'; bytes too, linear algebra left out. _cut: on a lattice that is cut.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "bench/ranks.h"
#include "bench/samples.h"
#include "core/log.h"
#include "dirac/make_dirac.h"
#include "ops/blas/blas.h"
#include "solvers/dirac_solver.h"
#include "targets/target.h"

namespace quda::bench
{

namespace
{

  constexpr double tolerance = 1e-10;
  constexpr double product_seconds = 0.01; // of one sample
  constexpr int vectors = 8;

  class Solve : public Kernel
  {
  public:
    Solve(const Setting &setting, Method method)
        : host_(*setting.host)
        , links_(host_.native_links(Precision::double_, setting.reconstruct))
        , set_(links_)
        , dirac_(make_dirac(WilsonFermions {host_.kappa()}, set_, {Precision::double_, setting.reconstruct}))
        , matrix_(dirac_->clone({setting.precision, setting.reconstruct}),
                  {.matpc = MatPC::even_even, .normal = row_of(method).positive})
        , b_(host_.native_spinors(Precision::double_, setting.nrhs))
        , x_(host_.native_spinors(Precision::double_, setting.nrhs))
        , in_(matrix_.shape(setting.nrhs))
        , out_(matrix_.shape(setting.nrhs))
    {
      host_.fill(b_);
      host_.fill(in_);
      how_.prepared = MatPC::even_even;
      how_.equations = row_of(method).positive ? Equations::normal_operator : Equations::direct;
      how_.method = method;
      how_.sloppy = {setting.precision, setting.reconstruct};
      how_.tolerance.relative = tolerance;
      how_.limits.iterations = 5000;
      products(1); // tunes
    }

    /// The operator by itself, in turn with the solves.
    void refresh() override
    {
      const int n = std::clamp(static_cast<int>(product_seconds / of_first(products(1))), 1, 1000);
      product_.add(products(n) / n);
    }
    void run() override
    {
      const VerbosityScope silent(Verbosity::silent);
      report_ = quda::solve(*dirac_, how_, x_, b_);
    }
    /// Of a run only what it returns to is known beforehand.
    static Work work(const Setting &s) { return {.working_set = s.links() + vectors * s.spinors() / 2}; }
    std::optional<Iterations> iterations() const override
    {
      return Iterations {report_.iterations, products_of_a_step(), product_.median(), report_.flops,
                         report_.iterations * products_of_a_step() * matrix_.bytes(x_.inner())};
    }
    /// To the tolerance of the solve alone.
    Checksum checksum() override
    {
      run();
      return checksum_of(x_);
    }

    bool check() override
    {
      run();
      const auto full = dirac_->full();
      ColorSpinorField product(b_.param());
      (*full)(product, x_);
      const auto source = [&](int p, std::size_t x) { return host_.spinors()[p * host_.lattice().half() + x]; };
      return report_.converged() && host_.agrees(product, source, 1e-7);
    }

  protected:
    int products_of_a_step() const { return how_.method == Method::bicgstab ? 2 : 1; }

    double products(int n)
    {
      const double start = now();
      for (int i = 0; i < n; i++) matrix_(out_, in_);
      target().synchronize();
      return now() - start;
    }

    HostData &host_;
    GaugeField links_;
    LinkSet set_;
    std::unique_ptr<Dirac> dirac_;
    DiracSystem matrix_; // as the iterations see it
    ColorSpinorField b_, x_, in_, out_;
    DiracSolve how_;
    SolveReport report_;
    Samples product_;
  };

  /// Ten shifts at once.
  class Shifts final : public Solve
  {
  public:
    explicit Shifts(const Setting &setting)
        : Solve(setting, Method::cg)
        , source_(b_.half(0))
        , solutions_(ten(source_))
    {
      shifts_.system = {.matpc = MatPC::even_even, .normal = true};
      for (int k = 0; k < shifts; k++) {
        shifts_.shifts.push_back(1e-3 * std::pow(2, k));
        shifts_.tolerances.push_back(how_.tolerance);
      }
      shifts_.sloppy = shifts_.refinement = how_.sloppy;
      shifts_.limits = shifts_.refinement_limits = how_.limits;
    }
    void run() override
    {
      const VerbosityScope silent(Verbosity::silent);
      const ShiftedReport found = quda::solve(*dirac_, shifts_, solutions_, source_);
      converged_ = found.converged();
      report_.iterations = found.iterations;
      report_.flops = found.flops;
    }
    static Work work(const Setting &s) { return {.working_set = s.links() + 30 * s.spinors() / 2}; }
    Checksum checksum() override
    {
      run();
      return checksum_of(of_shift(5));
    }
    bool check() override
    {
      run();
      bool good = converged_;
      ColorSpinorField product(source_.param());
      const DiracSystem A(dirac_->clone(dirac_->storage()), shifts_.system);
      for (const int k : {0, 9}) {
        Shifted(A, shifts_.shifts[static_cast<std::size_t>(k)])(product, of_shift(k));
        good = good && host_.agrees(
                           product, [&](int, std::size_t x) { return host_.spinors()[x]; }, 1e-7);
      }
      return good;
    }

  private:
    static constexpr int shifts = 10;
    static ColorSpinorParam ten(const ColorSpinorField &like)
    {
      ColorSpinorParam param = like.param();
      param.rhs *= shifts;
      return param;
    }
    ColorSpinorField of_shift(int k) const { return solutions_.columns(k * source_.rhs(), source_.rhs()); }

    ColorSpinorField source_;
    DiracShifts shifts_;
    ColorSpinorField solutions_; // shift by shift
    bool converged_ = false;
  };

  template <Method method> Entry solve(const char *name, bool cut = false)
  {
    return {.name = name,
            .needs = Needs::links_and_spinors,
            .computes = Computes::any,
            .features = std::string("whole solve") + (cut ? ", halo" : ""),
            .cut = cut,
            .samples = 3,
            .loose = 1e5,
            .work = Solve::work,
            .make = [](const Setting &setting) { return std::make_unique<Solve>(setting, method); }};
  }

  const Registered solves[] = {solve<Method::bicgstab>("solve_bicgstab"), solve<Method::cg>("solve_cg"),
                               solve<Method::cg>("solve_cg_cut", true),
                               solve<Method::pipelined_cg>("solve_pipelined_cg"),
                               Entry {.name = "solve_shifts",
                                      .needs = Needs::links_and_spinors,
                                      .computes = Computes::any,
                                      .features = "whole solve",
                                      .samples = 3,
                                      .loose = 1e5,
                                      .work = Shifts::work,
                                      .make = made<Shifts>}};

} // namespace

} // namespace quda::bench
