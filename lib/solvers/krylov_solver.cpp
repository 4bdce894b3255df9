#include "solvers/krylov_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/built.h"
#include "core/error.h"
#include "core/log.h"
#include "core/timer.h"
#include "ops/blas/block.h"
#include "solvers/deflation.h"
#include "solvers/scale.h"
#include "solvers/stopping.h"

namespace quda
{

namespace
{

  void check_shape(const char *function, const char *name, const ColorSpinorField &field, const LinearOperator &A)
  {
    const ColorSpinorParam is = field.param(), wanted = A.shape(field.rhs());
    const auto compare = [&](const char *what, int a, int b) {
      if (a != b)
        fail(ErrorKind::bad_argument, text("%s: %s has %s = %d; the operator acts on %d", function, name, what, a, b));
    };
    compare("order", static_cast<int>(is.order), static_cast<int>(wanted.order));
    compare("precision", bytes_of(is.precision), bytes_of(wanted.precision));
    compare("subset", static_cast<int>(is.subset), static_cast<int>(wanted.subset));
    compare("parity", is.parity, wanted.parity);
    compare("spins", is.spins, wanted.spins);
    compare("colors", is.colors, wanted.colors);
    compare("layers", is.fifth * is.flavours, wanted.fifth * wanted.flavours);
    if (is.lattice != wanted.lattice)
      fail(ErrorKind::bad_argument, text("%s: %s is on another lattice than the operator", function, name));
  }

  /// State of one right-hand side while it is worked on; b and all residuals are scaled.
  struct Column : Progress {
    int number;   // in the caller's order
    double scale; // b = scale times what is solved
  };

} // namespace

/// One solve; fields live on for the next one.
struct KrylovSolver::Work {
  OperatorByPrecision &operators;
  MakeMethod method;
  System system;
  Companion *companion = nullptr;
  DeflationSpace *low_modes = nullptr;
  DeflateAgain deflate_again;

  ActiveColumns x, b, r, adjoint_r, correction; // outer precision
  ActiveColumns sloppy_r;
  ActiveColumns direction, product; // outer precision, while low modes are taken from the method's direction
  std::vector<Column> columns;
  Relaxation relaxation;
  Precision level {};
  std::unique_ptr<LinearOperator> normal; // of the level
  std::unique_ptr<KrylovMethod> iteration;
  SolveReport report;
  std::vector<Tolerance> tolerances; // one for all, or one each
  Limits limits;
  std::vector<Outcome> decided;

  Work(OperatorByPrecision &operators, MakeMethod method, Precision first, System system)
      : operators(operators)
      , method(std::move(method))
      , system(system)
      , relaxation {.outer = operators.outer().precision(), .first = first}
  {
  }

  const LinearOperator &outer() const { return operators.outer(); }
  const Tolerance &tolerance(const Column &c) const
  {
    return tolerances[tolerances.size() == 1 ? 0 : static_cast<std::size_t>(c.number)];
  }

  /// In the caller's order, of the columns that there are.
  std::vector<int> numbers() const
  {
    std::vector<int> all;
    for (const Column &c : columns) all.push_back(c.number);
    return all;
  }

  void set_level(Precision precision)
  {
    if (iteration && level == precision) return;
    level = precision;
    iteration.reset();
    const LinearOperator &A = operators.at(precision);
    normal = seen_by_method(system, A);
    iteration = method(normal ? *normal : A);
    check_symmetry(*iteration, normal ? *normal : A);
  }

  /// The largest residual, in units of |b|.
  double farthest() const
  {
    double part = 0;
    for (const Column &c : columns) part = std::max(part, c.residual / c.source);
    return part;
  }
  bool outermost() const { return level == outer().precision(); }
  /// The fall of the residual after which the true one is looked at.
  double delta() const
  {
    const double reliable = outermost() ? 0 : limits.reliable_delta;
    return report.escalations > 0 ? reliable : std::max(reliable, relaxation.fall(level, farthest()));
  }

  /// r = b - A x and its norms, in the outer precision.
  void true_residual()
  {
    const ColorSpinorField &source = *b;
    Sums sums;
    outer().apply({.out = *r, .in = *x, .end = {.x = &source, .b = -1.0, .norm = true}}, &sums);
    report.flops += outer().flops(static_cast<int>(columns.size()));
    report.replacements++;
    for (std::size_t j = 0; j < columns.size(); j++) columns[j].measured(std::sqrt(sums.norm[j]));
  }

  /// A^dag r.
  const ColorSpinorField &adjoint_residual(Sums *sums = nullptr)
  {
    outer().apply({.out = *adjoint_r, .in = *r, .dagger = true, .end = {.norm = sums != nullptr}}, sums);
    return *adjoint_r;
  }

  bool positive() const { return outer().symmetry() == Symmetry::positive; }

  /// The part of the solutions that lies in the low modes, and the residuals that it leaves.
  void deflate()
  {
    low_modes->correct(*x, positive() ? *r : adjoint_residual());
    if (!positive()) report.flops += outer().flops(static_cast<int>(columns.size()));
    true_residual();
    for (Column &c : columns) c.corrected(deflate_again);
  }

  /// The same of the direction that the method goes on with: what of it lies in the low modes, as their matrix has it,
  /// would lead back to them.
  void deflate_direction()
  {
    ColorSpinorField *const p = system == System::normal_error ? nullptr : iteration->direction();
    if (!p) return;
    const int n = static_cast<int>(columns.size());
    for (ActiveColumns *field : {&direction, &product}) field->prepare(outer().shape(n));
    blas::block::convert(*direction, *p);
    outer()(*product, *direction);
    if (!positive()) outer()(*adjoint_r, *product, true);
    report.flops += (positive() ? 1 : 2) * outer().flops(n);
    ColorSpinorField &s = positive() ? *product : *adjoint_r;
    blas::ax(-1.0, s);
    low_modes->correct(*direction, s);
    blas::block::convert(*p, *direction);
  }

  /// The residual of the system that the method sees, in its precision, and what it is to aim at.
  const ColorSpinorField &residual_for_the_method()
  {
    const ColorSpinorField *from = &*r;
    std::vector<double> norm(columns.size());
    if (system == System::normal_residual) {
      Sums sums;
      from = &adjoint_residual(&sums);
      for (std::size_t j = 0; j < norm.size(); j++) norm[j] = std::sqrt(sums.norm[j]);
    } else {
      for (std::size_t j = 0; j < norm.size(); j++) norm[j] = columns[j].residual;
    }
    for (std::size_t j = 0; j < norm.size(); j++)
      columns[j].set_aim(norm[j], system == System::normal_residual, outer().precision());
    if (outermost()) return *from;
    sloppy_r.prepare(operators.at(level).shape(static_cast<int>(columns.size())));
    blas::block::convert(*sloppy_r, *from);
    return *sloppy_r;
  }

  void take_correction()
  {
    if (system != System::normal_error) {
      iteration->add_correction_to(*x);
      return;
    }
    blas::zero(*correction);
    iteration->add_correction_to(*correction);
    const ColorSpinorField &before = *x;
    outer().apply({.out = *x, .in = *correction, .dagger = true, .end = {.x = &before}});
    report.flops += outer().flops(static_cast<int>(columns.size()));
  }

  double heavy_quark(std::size_t j)
  {
    const int i = static_cast<int>(j);
    return blas::block::heavy_quark(x->columns(i, 1), r->columns(i, 1))[0];
  }

  void decide(std::size_t j, Outcome outcome)
  {
    RhsReport &one = report.rhs[columns[j].number];
    decided[j] = one.outcome = outcome;
    one.iterations = std::max(report.iterations, 1);
    one.residual = columns[j].residual / columns[j].source;
  }

  /// Whether the true residual is what was asked for. The heavy-quark residual is looked at when the other is small
  /// enough; where it is not, the other's target moves.
  bool good(std::size_t j)
  {
    Column &c = columns[j];
    if (!(c.residual < c.target)) return false;
    const double asked = tolerance(c).heavy_quark;
    if (!(asked > 0)) return true;
    const double hq = report.rhs[c.number].heavy_quark = heavy_quark(j);
    if (hq < asked) return true;
    c.target = c.residual * std::max(0.1, 0.5 * asked / hq);
    return false;
  }

  /// What the recursion promised, and what came of it.
  void judge(std::size_t j, const CycleResult &cycle)
  {
    Column &c = columns[j];
    report.rhs[c.number].iterated = cycle.norm[j] / c.source;
    const bool enough = good(j);
    if (enough && !(companion && companion->wants_more(j))) return decide(j, Outcome::converged);
    std::optional<Outcome> outcome = c.judge(cycle.outcome[j], cycle.norm[j], cycle.steps, outermost());
    if (!outcome) return;
    if (outcome == Outcome::stagnated) {
      const double solution = std::sqrt(blas::block::norm2(x->columns(static_cast<int>(j), 1))[0]);
      if (c.residual <= rounding_limit(level, c.source, solution)) outcome = Outcome::precision_limit;
    }
    decide(j, enough ? Outcome::converged : *outcome);
  }

  /// Whether what is left needs a better precision.
  bool stuck(const CycleResult &cycle) const
  {
    if (outermost()) return false;
    for (std::size_t j = 0; j < columns.size(); j++)
      if (decided[j] == Outcome::running && columns[j].stuck(cycle.outcome[j])) return true;
    return false;
  }

  void escalate()
  {
    const Precision next = std::min(next_better(level), outer().precision(),
                                    [](Precision a, Precision b) { return bytes_of(a) < bytes_of(b); });
    print(Verbosity::verbose, "%s: the true residual no longer falls in %d-byte reals, going on with %d\n",
          iteration->name(), bytes_of(level), bytes_of(next));
    set_level(next);
    report.escalations++;
    for (Column &c : columns) c.idle = c.breakdowns = 0;
  }

  void begin(const ColorSpinorField &source, const ColorSpinorField *guess, const std::vector<double> &largest,
             std::size_t solutions);
  void run(ColorSpinorField &to);

  /// The solution of column j goes to the caller; the column leaves.
  void leave(std::size_t j, ColorSpinorField &to)
  {
    ColorSpinorField out = to.columns(columns[j].number, 1);
    blas::copy(out, x->columns(static_cast<int>(j), 1));
    blas::ax(columns[j].scale, out);
    for (ActiveColumns *field : {&x, &b, &r, &adjoint_r, &correction})
      if (!field->empty()) field->drop(static_cast<int>(j));
    std::swap(columns[j], columns.back());
    columns.pop_back();
    std::swap(decided[j], decided.back());
    decided.pop_back();
  }
};

KrylovSolver::KrylovSolver(OperatorByPrecision &operators, MakeMethod method, Precision sloppy, System system)
    : work_(std::make_unique<Work>(operators, std::move(method), sloppy, system))
{
}

KrylovSolver::~KrylovSolver() = default;

void KrylovSolver::relax(double part) { work_->relaxation.part = part; }

void KrylovSolver::deflate(DeflationSpace &space, const DeflateAgain &again)
{
  work_->low_modes = &space;
  work_->deflate_again = again;
}

void KrylovSolver::accompany(Companion &companion) { work_->companion = &companion; }

/// Scaled copies of the sources that are not zero, and the residual to begin with.
void KrylovSolver::Work::begin(const ColorSpinorField &source, const ColorSpinorField *guess,
                               const std::vector<double> &largest, std::size_t solutions)
{
  columns.clear();
  for (std::size_t j = 0; j < solutions; j++)
    if (const double one = largest[j % largest.size()]; one > 0)
      columns.push_back({{}, static_cast<int>(j), power_above(one)});
  decided.assign(columns.size(), Outcome::running);
  if (columns.empty()) return;
  operators.select_rhs(numbers());
  const ColorSpinorParam shape = outer().shape(static_cast<int>(columns.size()));
  for (ActiveColumns *field : {&x, &b, &r}) field->prepare(shape);
  if (system == System::normal_residual || (low_modes && !positive())) adjoint_r.prepare(shape);
  if (system == System::normal_error) correction.prepare(shape);
  for (std::size_t j = 0; j < columns.size(); j++) {
    const int i = static_cast<int>(j);
    const double inverse = 1 / columns[j].scale;
    ColorSpinorField to = b->columns(i, 1);
    blas::block::convert(to, source.columns(columns[j].number % source.rhs(), 1), inverse);
    if (!guess) continue;
    ColorSpinorField first_x = x->columns(i, 1);
    blas::block::convert(first_x, guess->columns(columns[j].number, 1), inverse);
  }
  const std::vector<double> b2 = blas::block::norm2(*b);
  for (std::size_t j = 0; j < columns.size(); j++) {
    Column &c = columns[j];
    c.source = std::sqrt(b2[j]);
    c.target = std::numeric_limits<double>::infinity();
    const Tolerance &asked = tolerance(c);
    if (asked.relative > 0) c.target = std::min(c.target, asked.relative * c.source);
    if (asked.absolute > 0) c.target = std::min(c.target, asked.absolute / c.scale);
    if (std::isinf(c.target)) c.target = asked.heavy_quark * c.source;
    c.residual = c.best = c.source;
  }
  if (guess) {
    true_residual();
  } else {
    blas::zero(*x);
    blas::copy(*r, *b);
  }
}

void KrylovSolver::Work::run(ColorSpinorField &to)
{
  const auto take_leave = [&](bool from_iteration) {
    for (std::size_t j = columns.size(); j-- > 0;) {
      if (decided[j] == Outcome::running) continue;
      if (from_iteration && columns.size() > 1) {
        iteration->drop(static_cast<int>(j));
        if (companion) companion->drop(static_cast<int>(j));
      }
      leave(j, to);
    }
    operators.select_rhs(numbers());
  };
  const auto steps_left = [&] { return limits.iterations - report.iterations; };

  for (std::size_t j = 0; j < columns.size(); j++) {
    Column &c = columns[j];
    if (!std::isfinite(c.residual))
      throw FoundTogether(
          ErrorKind::bad_argument,
          text("%s: the initial guess of right-hand side %d, or the operator applied to it, is not finite",
               iteration->name(), c.number));
    report.rhs[c.number].iterated = c.residual / c.source;
    if (good(j))
      decide(j, Outcome::converged);
    else if (steps_left() <= 0)
      decide(j, Outcome::iterations);
  }
  take_leave(false);
  if (columns.empty()) return;
  const auto without_low_modes = [&](bool from_iteration) {
    deflate();
    for (std::size_t j = 0; j < columns.size(); j++)
      if (good(j)) decide(j, Outcome::converged);
    take_leave(from_iteration);
  };
  if (low_modes) without_low_modes(false);

  bool anew = true;
  while (!columns.empty()) {
    const Precision allowed = relaxation.part > 0 ? relaxation.level(farthest()) : level;
    if (report.escalations == 0 && bytes_of(allowed) < bytes_of(level)) {
      const std::unique_ptr<KrylovMethod> before = std::move(iteration);
      set_level(allowed);
      anew = anew || !iteration->adopt_directions(*before);
    }
    const ColorSpinorField &residual = residual_for_the_method();
    if (anew) {
      if (companion) companion->select_rhs(numbers());
      iteration->start(residual);
    } else
      iteration->replace(residual);
    CycleTarget goal;
    for (const Column &c : columns) goal.norm.push_back(c.back_at);
    goal.delta = delta();
    goal.steps = std::min(most_cycle_steps, steps_left());
    if (log_prints(Verbosity::verbose))
      goal.progress = [&, before = report.iterations](int step, std::span<const double> rr) {
        double worst = 0, worst_rr = 0;
        for (std::size_t j = 0; j < rr.size(); j++) {
          const double relative = std::sqrt(rr[j]) / columns[j].source;
          if (!(relative <= worst)) worst = relative, worst_rr = rr[j];
        }
        print(Verbosity::verbose, "%s: %5d iterations, <r,r> = %9.6e, |r|/|b| = %9.6e\n", iteration->name(),
              before + step, worst_rr, worst);
      };
    const CycleResult cycle = iteration->run(goal);
    report.iterations += cycle.steps;
    report.flops += cycle.steps * iteration->applications() * (normal ? 2 : 1) *
                    operators.at(level).flops(static_cast<int>(columns.size()));

    bool finite = true;
    for (const double norm : cycle.norm) finite = finite && std::isfinite(norm);
    anew = !finite;
    if (!finite) {
      // nothing of this cycle is kept
      if (!outermost()) {
        escalate();
        continue;
      }
      for (std::size_t j = 0; j < columns.size(); j++)
        if (!std::isfinite(cycle.norm[j])) decide(j, Outcome::not_finite);
    } else {
      take_correction();
      true_residual();
      for (std::size_t j = 0; j < columns.size(); j++) {
        if (std::isfinite(columns[j].residual)) {
          judge(j, cycle);
        } else {
          ColorSpinorField spoiled = x->columns(static_cast<int>(j), 1);
          blas::zero(spoiled);
          columns[j].residual = columns[j].source;
          decide(j, Outcome::not_finite);
        }
      }
    }
    if (steps_left() <= 0)
      for (std::size_t j = 0; j < columns.size(); j++)
        if (decided[j] == Outcome::running) decide(j, good(j) ? Outcome::converged : Outcome::iterations);
    for (std::size_t j = 0; j < columns.size(); j++)
      anew = anew || (decided[j] == Outcome::running && cycle.outcome[j] == Outcome::breakdown);
    const bool better_precision = finite && stuck(cycle);
    take_leave(true);
    if (std::any_of(columns.begin(), columns.end(), [](const Column &c) { return c.due(); })) {
      without_low_modes(true);
      if (!columns.empty() && !anew) deflate_direction();
      // a recursion of other residuals is no good for these, but for that of a matrix which leaves the modes by themselves
      anew = anew || !(normal || positive());
    }
    if (better_precision && !columns.empty()) {
      escalate();
      anew = true;
    }
  }
}

SolveReport KrylovSolver::solve(ColorSpinorField &x, const ColorSpinorField &b, std::span<const Tolerance> tolerances,
                                const Limits &limits, bool guess)
{
  const char *function = "KrylovSolver::solve";
  Work &w = *work_;
  Timer timer;
  timer.start();
  check_shape(function, "b", b, w.outer());
  check_shape(function, "x", x, w.outer());
  const auto solutions = static_cast<std::size_t>(x.rhs());
  if (x.rhs() % b.rhs() != 0 || (tolerances.size() != 1 && tolerances.size() != solutions))
    fail(ErrorKind::bad_argument,
         text("%s: x has %d right-hand sides, b has %d, and there are %zu tolerances; x must have as many as b or a "
              "multiple, and tolerances be one or as many as x's",
              function, x.rhs(), b.rhs(), tolerances.size()));
  const std::vector<double> largest = blas::block::amax(b);
  for (std::size_t j = 0; j < largest.size(); j++)
    if (!std::isfinite(largest[j]))
      throw FoundTogether(ErrorKind::bad_argument, text("%s: right-hand side %zu is not finite", function, j));
  w.report = {};
  w.report.rhs.resize(solutions);
  w.tolerances.assign(tolerances.begin(), tolerances.end());
  w.limits = limits;
  if (!(limits.reliable_delta >= 1e-5 && limits.reliable_delta < 1)) w.limits.reliable_delta = 0.1;
  w.set_level(w.relaxation.part > 0 ? w.outer().precision() : w.relaxation.first);
  for (std::size_t j = 0; j < solutions; j++) {
    if (largest[j % largest.size()] > 0) continue;
    ColorSpinorField zero = x.columns(static_cast<int>(j), 1);
    blas::zero(zero);
    w.report.rhs[j] = {.outcome = Outcome::converged, .iterations = 1};
    if (j >= largest.size()) continue;
    print(Verbosity::summarize, "%s: source %zu is zero, and so is its solution\n", w.iteration->name(), j);
  }
  w.begin(b, guess ? &x : nullptr, largest, solutions);
  w.run(x);
  x.mark_written();
  for (const RhsReport &one : w.report.rhs) w.report.iterations = std::max(w.report.iterations, one.iterations);
  w.report.seconds = timer.seconds();
  return w.report;
}

std::string summary(const char *method, const SolveReport &report, const Tolerance &tolerance)
{
  const auto extremes = [&](double RhsReport::*residual) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const RhsReport &one : report.rhs) {
      least = std::min(least, one.*residual);
      most = std::max(most, one.*residual);
    }
    return least < most ? text("%9.6e .. %9.6e", least, most) : text("%9.6e", most);
  };
  double iterated = 0;
  int good = 0;
  const RhsReport *bad = nullptr;
  for (const RhsReport &one : report.rhs) {
    iterated = std::max(iterated, one.iterated);
    good += one.outcome == Outcome::converged;
    if (one.outcome != Outcome::converged && !bad) bad = &one;
  }
  std::string line = text("%s: %d iteration%s, %d of %zu right-hand sides converged, L2 relative residual: iterated = "
                          "%9.6e, true = %s (requested = %9.6e)",
                          method, report.iterations, report.iterations == 1 ? "" : "s", good, report.rhs.size(),
                          iterated, extremes(&RhsReport::residual).c_str(), tolerance.relative);
  if (tolerance.heavy_quark > 0)
    line += text(", heavy-quark residual: true = %s (requested = %9.6e)", extremes(&RhsReport::heavy_quark).c_str(),
                 tolerance.heavy_quark);
  if (bad) line += text("; of the first that did not: %s", outcome_text(bad->outcome));
  return line;
}

} // namespace quda
