#include "solvers/dirac_solver.h"

#include "core/built.h"
#include "core/error.h"
#include "core/log.h"
#include "ops/blas/block.h"
#include "solvers/scale.h"
#include "solvers/stopping.h"

#include <cmath>
#include <limits>

namespace quda
{

namespace
{

  /// The system that the method solves for A x = b, A given.
  System system_of(const DiracSolve &how)
  {
    return how.equations == Equations::normal_error ? System::normal_error : row_of(how.method).system;
  }

  void check(const DiracSolve &how)
  {
    const auto refuse = [](const char *why) { fail(ErrorKind::bad_argument, text("solve: %s", why)); };
    if (how.prepared && (how.system.matpc || how.system.normal))
      refuse("sources are prepared for M x = b alone, not for systems on one parity or normal ones");
    if (how.equations == Equations::normal_error && how.system.normal)
      refuse("a normal system cannot be solved by the equations of the error");
    const MethodRow &method = row_of(how.method);
    if (how.equations != Equations::direct && method.system != System::direct)
      refuse(text("%s forms normal equations itself", method.name).c_str());
    if (how.low_modes && (how.system.weights || (how.system.normal && how.equations == Equations::direct)))
      refuse("low modes of neither a weighted system nor a normal one that takes two solves");
    if ((how.precondition || how.preconditioner) && !method.reads(MethodRow::preconditioner))
      refuse(text("%s takes no preconditioner", method.name).c_str());
    if (how.preconditioner && (how.system.weights || system_of(how) != System::direct))
      refuse(
          "a preconditioner of an operator's matrices serves neither weighted systems nor those that a method forms");
  }

  /// Storage of the iterations.
  LinkStorage sloppy_storage(const std::optional<LinkStorage> &wanted, LinkStorage outer)
  {
    if (!wanted) return outer;
    LinkStorage sloppy = {at_least(wanted->precision), wanted->reconstruct};
    if (sloppy.reconstruct != Reconstruct::none)
      sloppy.reconstruct = built(Reconstruct::r12) ? Reconstruct::r12 : Reconstruct::none;
    return bytes_of(sloppy.precision) < bytes_of(outer.precision) ? sloppy : outer;
  }

  /// Whether a normal system is solved without its weights first: W^-1 A W is not Hermitian, but A is.
  bool weighs_afterwards(const DiracSolve &how)
  {
    return how.system.weights && how.system.normal && how.equations == Equations::normal_operator;
  }

  DiracSystemForm without_weights(DiracSystemForm form)
  {
    form.weights.reset();
    return form;
  }

  /// The residual of the sources, b - A x: times A^dag for normal equations, times W^-1 with weights.
  /// Scaled by powers of two, as the sources of a Krylov solve are.
  class Remainder
  {
  public:
    Remainder(const DiracSystem &A, const DiracSolve &how, const ColorSpinorField &b,
              const std::vector<double> &largest)
        : A_(A)
        , how_(how)
        , r_(b.param())
    {
      of_normal_ = how.equations == Equations::normal_operator && !how.system.normal;
      if (how.system.weights) out_of_.emplace(time_factor(*how.system.weights, b.lattice(), -1));
      if (of_normal_ || out_of_) judged_.emplace(b.param());
      for (const double one : largest) {
        scale_.push_back(power_above(one));
        inverse_.push_back(1 / scale_.back());
      }
      blas::copy(r_, b);
      blas::ax(inverse_, r_);
      source_ = measured();
    }

    void measure(const ColorSpinorField &x, const ColorSpinorField &b)
    {
      A_.apply({.out = r_, .in = x, .end = {.x = &b, .b = -1.0}});
      blas::ax(inverse_, r_);
      norms_ = measured();
      solution_ = blas::block::norm2(x);
      for (std::size_t j = 0; j < solution_.size(); j++) solution_[j] = inverse_[j] * std::sqrt(solution_[j]);
    }
    const std::vector<double> &norms() const { return norms_; }
    const ColorSpinorField &residual() const { return r_; }
    double flops() const { return (of_normal_ ? 2 : 1) * A_.flops(r_.rhs()); }

    /// Writes residuals and outcomes into the report. Returns the tolerances of another solve, one per right-hand side,
    /// none if that is not worth while; `before`: norms before the last solve, empty for the first.
    std::vector<Tolerance> judge(SolveReport &report, const std::vector<double> &before) const
    {
      std::vector<Tolerance> tolerances;
      bool further = false;
      for (std::size_t j = 0; j < norms_.size(); j++) {
        RhsReport &one = report.rhs[j];
        const double target = target_of(j);
        const bool good = norms_[j] < target || source_[j] == 0;
        one.residual = source_[j] == 0 ? 0 : norms_[j] / source_[j];
        tolerances.push_back({.relative = 2}); // done before it begins
        if (good && how_.tolerance.heavy_quark == 0) one.outcome = Outcome::converged;
        if (good || one.outcome != Outcome::converged) continue;
        if (!before.empty() && !(norms_[j] < worthwhile * before[j]))
          one.outcome = norms_[j] <= rounding_limit(r_.precision(), source_[j], solution_[j]) ? Outcome::precision_limit
                                                                                              : Outcome::stagnated;
        else if (report.iterations >= how_.limits.iterations)
          one.outcome = Outcome::iterations;
        else
          further = true;
        tolerances[j].relative = margin * target / norms_[j];
      }
      return further ? tolerances : std::vector<Tolerance>();
    }

    /// x += e, e the solution for the residual.
    void add(ColorSpinorField &x, const ColorSpinorField &e) const { blas::axpy(scale_, e, x); }

  private:
    static constexpr double worthwhile = 0.5, margin = 0.5;

    /// Bound of the norm of right-hand side j; none if only the heavy-quark residual counts.
    double target_of(std::size_t j) const
    {
      double target =
          how_.tolerance.heavy_quark > 0 || how_.tolerance.absolute > 0 ? std::numeric_limits<double>::infinity() : 0;
      if (how_.tolerance.relative > 0) target = how_.tolerance.relative * source_[j];
      if (how_.tolerance.absolute > 0 && !of_normal_) target = std::min(target, how_.tolerance.absolute * inverse_[j]);
      return target;
    }
    std::vector<double> measured()
    {
      if (of_normal_) A_.apply({.out = *judged_, .in = r_, .dagger = true});
      if (out_of_) out_of_->apply(*judged_, r_);
      std::vector<double> norms = blas::block::norm2(judged_ ? *judged_ : r_);
      for (double &norm : norms) norm = std::sqrt(norm);
      return norms;
    }

    const DiracSystem &A_;
    const DiracSolve &how_;
    ColorSpinorField r_;
    bool of_normal_;
    std::optional<SiteFactor> out_of_;
    std::optional<ColorSpinorField> judged_;                          // the residual to judge, if not r_
    std::vector<double> scale_, inverse_, source_, norms_, solution_; // of each right-hand side
  };

  class Solve
  {
  public:
    Solve(const Dirac &dirac, const DiracSolve &how)
        : dirac_(dirac)
        , how_(how)
        , method_(row_of(how.method))
        , sloppy_(sloppy_storage(how.sloppy, dirac.storage()))
        , tolerances_ {how.tolerance}
    {
    }

    /// Solves and judges by |b - A x| of the caller's system, which decides. If that is not the system of the Krylov
    /// method, the remaining residual is solved for as long as this helps.
    SolveReport settled(ColorSpinorField &x, const ColorSpinorField &b) const
    {
      if (!indirect()) return once(x, b);
      const std::vector<double> largest =
          how_.largest.empty() ? finite_amax("solve", b) : std::vector(how_.largest.begin(), how_.largest.end());
      SolveReport report = once(x, b);
      const DiracSystem A(dirac_.clone(dirac_.storage()), without_weights(how_.system));
      Remainder left(A, how_, b, largest);
      for (std::vector<double> before;; before = left.norms()) {
        left.measure(x, b);
        report.flops += left.flops();
        const std::vector<Tolerance> tolerances = left.judge(report, before);
        if (tolerances.empty()) {
          tell(Verbosity::summarize, report);
          return report;
        }
        DiracSolve further = how_;
        further.guess = further.extrapolate = false;
        further.remember = 0;
        further.options.window = nullptr;
        further.limits.iterations -= report.iterations;
        Solve again(dirac_, further);
        again.tolerances_ = tolerances;
        ColorSpinorField e(b.param());
        const SolveReport more = again.once(e, left.residual());
        left.add(x, e);
        report.iterations += more.iterations;
        report.flops += more.flops;
        report.seconds += more.seconds;
        for (std::size_t j = 0; j < report.rhs.size(); j++) report.rhs[j].iterations += more.rhs[j].iterations;
      }
    }

  private:
    /// Whether the Krylov method solves another system than the caller's. With weights the weighted system decides, if
    /// the method solves that.
    bool indirect() const
    {
      if (how_.system.weights) return weighs_afterwards(how_);
      return how_.prepared || (how_.system.normal && how_.equations == Equations::direct);
    }

    void tell(Verbosity verbosity, const SolveReport &report) const
    {
      print(verbosity, "%s%s\n",
            report.converged() ? "" : "WARNING: ", summary(method_.name, report, how_.tolerance).c_str());
    }

    SolveReport once(ColorSpinorField &x, const ColorSpinorField &b) const
    {
      if (weighs_afterwards(how_)) return on_its_sites(without_weights(how_.system), x, b);
      return how_.prepared ? prepared(*how_.prepared, x, b) : through_weights(how_.system, x, b);
    }

    /// Solves A x = b on the sites of b, through W if there are weights.
    SolveReport through_weights(const DiracSystemForm &form, ColorSpinorField &x, const ColorSpinorField &b) const
    {
      if (!form.weights) return on_its_sites(form, x, b);
      const SiteFactor into = time_factor(*form.weights, b.lattice(), 1),
                       out_of = time_factor(*form.weights, b.lattice(), -1);
      ColorSpinorField c(b.param());
      out_of.apply(c, b);
      if (how_.guess) out_of.apply(x, x);
      const SolveReport report = on_its_sites(form, x, c);
      into.apply(x, x);
      return report;
    }

    /// The same without W.
    SolveReport on_its_sites(DiracSystemForm form, ColorSpinorField &x, const ColorSpinorField &b) const
    {
      const bool normal = form.normal;
      if (how_.equations == Equations::normal_operator) {
        if (normal) return krylov(form, System::direct, x, b);
        const DiracSystem A(dirac_.clone(dirac_.storage()), form);
        form.normal = true;
        ColorSpinorField c(b.param());
        A(c, b, true);
        return krylov(form, System::direct, x, c);
      }
      const System system = system_of(how_);
      if (!normal) return krylov(form, system, x, b);
      form.normal = false;
      DiracSystemForm adjoint = form;
      adjoint.dagger = !form.dagger;
      ColorSpinorField y(b.param());
      const SolveReport first = krylov(adjoint, system, y, b, true);
      SolveReport second = krylov(form, system, x, y);
      second.iterations += first.iterations;
      second.flops += first.flops;
      second.seconds += first.seconds;
      for (std::size_t j = 0; j < second.rhs.size(); j++)
        if (first.rhs[j].outcome != Outcome::converged) second.rhs[j].outcome = first.rhs[j].outcome;
      return second;
    }

    SolveReport prepared(MatPC matpc, ColorSpinorField &x, const ColorSpinorField &b) const
    {
      DiracSystemForm form = how_.system;
      form.matpc = matpc;
      const int parity = parity_of(matpc);
      ColorSpinorField c(dirac_.shape(parity, b.rhs()));
      dirac_.prepare(c, b, matpc, form.dagger);
      ColorSpinorField here = x.half(parity);
      if (how_.guess && !how_.extrapolate) {
        finite_amax("solve", x.half(1 - parity), true); // which nothing else reads
        dirac_.prepare_guess(here, matpc, form.dagger);
      }
      const SolveReport report = through_weights(form, here, c);
      dirac_.reconstruct(x, b, matpc, form.dagger);
      return report;
    }

    /// halfway: the first of two solves, for whose solution there is no guess.
    SolveReport krylov(const DiracSystemForm &form, System system, ColorSpinorField &x, const ColorSpinorField &b,
                       bool halfway = false) const
    {
      const DiracSystem outer(dirac_.clone(dirac_.storage()), form);
      OperatorByPrecision operators(outer, [&](Precision precision) {
        return std::make_unique<DiracSystem>(dirac_.clone({precision, sloppy_.reconstruct}), form);
      });
      MethodOptions options = how_.options;
      std::unique_ptr<Preconditioner> K;
      if (how_.preconditioner)
        K = how_.preconditioner->preconditioner(form);
      else if (how_.precondition)
        K = std::make_unique<DiracPreconditioner>(
            dirac_, form, system, *how_.precondition,
            how_.precondition->storage ? sloppy_storage(how_.precondition->storage, dirac_.storage()) : sloppy_, b);
      options.preconditioner = K.get();
      const bool estimated = estimate_spectrum(options, method_, system, operators.at(sloppy_.precision), b);
      const MakeMethod make = [&](const LinearOperator &A) { return method_.make(A, options); };
      KrylovSolver solver(operators, make, sloppy_.precision, system);
      if (how_.low_modes) solver.deflate(*how_.low_modes, how_.deflate_again);
      const bool extrapolated = how_.extrapolate && how_.history->size() > 0 && !halfway;
      if (extrapolated) how_.history->extrapolate(x, b, outer);
      SolveReport report =
          solver.solve(x, b, tolerances_, how_.limits, extrapolated || (how_.guess && !how_.extrapolate && !halfway));
      if (K) report.flops += K->flops_done();
      if (estimated) report.largest_eigenvalue = options.spectrum.most;
      if (extrapolated) report.flops += how_.history->size() * outer.flops(b.rhs());
      if (how_.remember > 0 && !halfway)
        how_.history->remember(x, how_.history_precision, how_.remember, how_.replace_newest);
      tell(indirect() ? Verbosity::verbose : Verbosity::summarize, report);
      return report;
    }

    const Dirac &dirac_;
    const DiracSolve &how_;
    const MethodRow &method_;
    const LinkStorage sloppy_;
    std::vector<Tolerance> tolerances_; // one for all, or one each
  };

} // namespace

DiracSystemForm form_of_method(const DiracSolve &how)
{
  DiracSystemForm form = how.system;
  if (how.prepared) form.matpc = how.prepared;
  if (how.equations == Equations::normal_operator) form.normal = true;
  return form;
}

std::unique_ptr<DiracSystem> low_mode_system(const Dirac &dirac, const DiracSolve &how, LinkStorage storage)
{
  DiracSystemForm form = form_of_method(how);
  auto A = std::make_unique<DiracSystem>(dirac.clone(storage), form);
  if (A->symmetry() == Symmetry::positive) return A;
  form.normal = true;
  return std::make_unique<DiracSystem>(dirac.clone(storage), form);
}

SolveReport solve(const Dirac &dirac, const DiracSolve &how, ColorSpinorField &x, const ColorSpinorField &b)
{
  check(how);
  return Solve(dirac, how).settled(x, b);
}

ShiftedReport solve(const Dirac &dirac, const DiracShifts &how, ColorSpinorField &x, const ColorSpinorField &b)
{
  const LinkStorage outer = dirac.storage(), sloppy = sloppy_storage(how.sloppy, outer),
                    refinement = sloppy_storage(how.refinement, outer);
  MultiShiftSolver solver(
      [&](Precision precision) {
        const LinkStorage storage = precision == outer.precision    ? outer
                                    : precision == sloppy.precision ? sloppy
                                                                    : LinkStorage {precision, refinement.reconstruct};
        return std::make_unique<DiracSystem>(dirac.clone(storage), how.system);
      },
      outer.precision);
  const ShiftedReport report = solver.solve(x, b,
                                            {.shifts = how.shifts,
                                             .tolerances = how.tolerances,
                                             .sloppy = sloppy.precision,
                                             .refinement = refinement.precision,
                                             .limits = how.limits,
                                             .refinement_limits = how.refinement_limits,
                                             .refine = how.refine});
  print(Verbosity::summarize, "%sMulti-shift CG: %zu shifts, %d iterations\n",
        report.converged() ? "" : "WARNING: ", how.shifts.size(), report.iterations);
  for (std::size_t k = 0; k < report.shift.size(); k++)
    print(Verbosity::summarize, "%s%s\n", report.shift[k].converged() ? "" : "WARNING: ",
          summary(text("shift %zu", k).c_str(), report.shift[k], how.tolerances[k]).c_str());
  return report;
}

} // namespace quda
