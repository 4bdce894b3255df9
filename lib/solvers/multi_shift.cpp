#include "solvers/multi_shift.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/log.h"
#include "core/timer.h"
#include "ops/blas/block.h"
#include "solvers/cg.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr double worthwhile = 10; // roundings of a sloppy precision, to which its residuals mean something

  double rounding(Precision precision)
  {
    switch (precision) {
    case Precision::double_:
      return 0x1p-53;
    case Precision::single:
      return 0x1p-24;
    default:
      return precision == Precision::half ? 0x1p-15 : 0x1p-7;
    }
  }

  bool asked(const Tolerance &tolerance)
  {
    return tolerance.relative > 0 || tolerance.absolute > 0 || tolerance.heavy_quark > 0;
  }

  /// What is not finite is no guess.
  void clear_spoiled(ColorSpinorField &x)
  {
    const std::vector<double> largest = blas::block::amax(x);
    for (std::size_t j = 0; j < largest.size(); j++) {
      if (std::isfinite(largest[j])) continue;
      ColorSpinorField spoiled = x.columns(static_cast<int>(j), 1);
      blas::zero(spoiled);
    }
  }

  MakeIteration conjugate_gradients(ShiftedSystems *shifted)
  {
    return [shifted](const LinearOperator &A) { return std::make_unique<CG>(A, shifted); };
  }

} // namespace

bool ShiftedReport::converged() const
{
  return std::all_of(shift.begin(), shift.end(), [](const SolveReport &one) { return one.converged(); });
}

ShiftedReport MultiShiftSolver::solve(std::vector<ColorSpinorField> &x, const ColorSpinorField &b,
                                      const ShiftedSolve &how)
{
  const char *function = "MultiShiftSolver::solve";
  Timer timer;
  timer.start();
  const std::size_t n = how.shifts.size(), rhs = static_cast<std::size_t>(b.rhs());
  if (n == 0 || x.size() != n || how.tolerances.size() != n)
    fail(ErrorKind::bad_argument, text("%s: %zu shifts, %zu tolerances and %zu solutions; they must agree, and be one "
                                       "at least",
                                       function, n, how.tolerances.size(), x.size()));
  for (std::size_t k = 0; k < n; k++)
    if (!(how.shifts[k] >= 0))
      fail(ErrorKind::bad_argument, text("%s: shift %zu is %g; allowed: 0 or more", function, k, how.shifts[k]));
  const auto least =
      static_cast<std::size_t>(std::min_element(how.shifts.begin(), how.shifts.end()) - how.shifts.begin());

  std::vector<double> scale = blas::block::amax(b);
  for (double &one : scale) one = power_above(one);
  // of the sloppy precision no more is asked than it can give, unless it is all that will be done
  const double floor = how.sloppy == outer_ || !how.refine ? 0 : worthwhile * rounding(how.sloppy);
  std::vector<ShiftedSystems::System> others;
  std::vector<std::size_t> number; // of the others
  for (std::size_t k = 0; k < n; k++) {
    blas::zero(x[k]);
    if (k == least) continue;
    const Tolerance &tolerance = how.tolerances[k];
    double relative = tolerance.relative;
    if (tolerance.relative == 0 && tolerance.absolute == 0) relative = tolerance.heavy_quark;
    others.push_back({.shift = how.shifts[k] - how.shifts[least],
                      .relative = asked(tolerance) ? std::max(relative, floor) : 0,
                      .absolute = tolerance.absolute,
                      .x = &x[k]});
    number.push_back(k);
  }

  ShiftedReport report;
  report.shift.resize(n);
  const auto solve_one = [&](std::size_t k, const Tolerance &tolerance, Precision sloppy, const Limits &limits,
                             ShiftedSystems *shifted) {
    const double shift = how.shifts[k];
    const auto A = make_(shift, outer_);
    OperatorLadder ladder(*A, [&](Precision precision) { return make_(shift, precision); });
    KrylovSolver solver(ladder, conjugate_gradients(shifted), sloppy);
    report.shift[k] = solver.solve(x[k], b, tolerance, limits, shifted == nullptr);
  };

  ShiftedSystems shifted(std::move(others), std::move(scale));
  solve_one(least, how.tolerances[least], how.sloppy, how.limits, &shifted);
  shifted.finish();
  for (std::size_t i = 0; i < number.size(); i++) {
    const std::size_t k = number[i];
    Tolerance tolerance = how.tolerances[k];
    double worst = 0;
    for (std::size_t j = 0; j < rhs; j++) worst = std::max(worst, shifted.iterated(i, j));
    if (!how.refine) {
      for (std::size_t j = 0; j < rhs; j++) {
        const bool good = !asked(tolerance) || shifted.reached(i, j);
        report.shift[k].rhs.push_back({.outcome = good ? Outcome::converged : Outcome::iterations,
                                       .iterations = report.shift[least].rhs[j].iterations,
                                       .iterated = shifted.iterated(i, j)});
      }
      continue;
    }
    if (!asked(tolerance)) tolerance.relative = std::max(1.1 * worst, outer_ == Precision::double_ ? 1e-12 : 1e-4);
    clear_spoiled(x[k]);
    solve_one(k, tolerance, how.refinement, how.refinement_limits, nullptr);
    SolveReport &of = report.shift[k];
    if (of.replacements > 1) {
      print(Verbosity::summarize, "Refining shift %zu: %d iterations\n", k, of.iterations);
      continue;
    }
    of.iterations = 0;
    for (std::size_t j = 0; j < rhs; j++) of.rhs[j].iterated = shifted.iterated(i, j);
  }
  for (const SolveReport &one : report.shift) {
    report.iterations += one.iterations;
    report.flops += one.flops;
  }
  report.seconds = timer.seconds();
  return report;
}

} // namespace quda
