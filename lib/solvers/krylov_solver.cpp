#include "solvers/krylov_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/log.h"
#include "core/timer.h"
#include "ops/blas/block.h"
#include "solvers/krylov_work.h"

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

} // namespace

struct KrylovSolver::Work : KrylovWork {
  using KrylovWork::KrylovWork;
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

SolveReport KrylovSolver::solve(ColorSpinorField &x, const ColorSpinorField &b, std::span<const Tolerance> tolerances,
                                const Limits &limits, bool guess)
{
  const char *function = "KrylovSolver::solve";
  KrylovWork &w = *work_;
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
  const std::vector<double> largest = finite_amax(function, b);
  w.report = {};
  w.here = w.at_work = 0;
  w.report.rhs.resize(solutions);
  w.tolerances.assign(tolerances.begin(), tolerances.end());
  w.limits = limits;
  if (!(limits.reliable_delta >= 1e-5 && limits.reliable_delta < 1)) w.limits.reliable_delta = 0.1;
  w.set_level(w.relaxation.part > 0 ? w.outer().precision() : w.relaxation.first);
  for (std::size_t j = 0; j < solutions; j++) {
    if (largest[j % largest.size()] > 0) continue;
    ColorSpinorField zero = x.columns(static_cast<int>(j), 1);
    if (guess && !std::isfinite(blas::block::amax(zero)[0])) throw NotFinite(function, true, static_cast<int>(j));
    blas::zero(zero);
    w.report.rhs[j] = {.outcome = Outcome::converged, .iterations = 1};
    if (j >= largest.size()) continue;
    print(Verbosity::summarize, "%s: source %zu is zero, and so is its solution\n", w.iteration->name(), j);
  }
  w.begin(b, guess ? &x : nullptr, largest, solutions);
  w.run(x);
  x.mark_written();
  for (const RhsReport &one : w.report.rhs) {
    w.report.iterations = std::max(w.report.iterations, one.iterations);
    w.report.replacements = std::max(w.report.replacements, one.replacements);
  }
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
