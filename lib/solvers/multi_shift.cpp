#include "solvers/multi_shift.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

  bool asked(const Tolerance &tolerance)
  {
    return tolerance.relative > 0 || tolerance.absolute > 0 || tolerance.heavy_quark > 0;
  }

  /// Relative residual to reach; 0: none requested. If only a heavy-quark residual is requested, that number serves at
  /// first.
  double relative_part(const Tolerance &tolerance)
  {
    return tolerance.relative > 0 || tolerance.absolute > 0 ? tolerance.relative : tolerance.heavy_quark;
  }

  /// Clears right-hand sides that are not finite, since they are no guess.
  void clear_spoiled(ColorSpinorField &x)
  {
    const std::vector<double> largest = blas::block::amax(x);
    for (std::size_t j = 0; j < largest.size(); j++) {
      if (std::isfinite(largest[j])) continue;
      ColorSpinorField spoiled = x.columns(static_cast<int>(j), 1);
      blas::zero(spoiled);
    }
  }

  MakeMethod conjugate_gradients(ShiftedSystems *shifted)
  {
    return [shifted](const LinearOperator &A) { return std::make_unique<CG>(A, shifted); };
  }

} // namespace

bool ShiftedReport::converged() const
{
  return std::all_of(shift.begin(), shift.end(), [](const SolveReport &one) { return one.converged(); });
}

ShiftedReport MultiShiftSolver::solve(ColorSpinorField &x, const ColorSpinorField &b, const ShiftedSolve &how)
{
  const char *function = "MultiShiftSolver::solve";
  Timer timer;
  timer.start();
  const std::size_t n = how.shifts.size(), rhs = static_cast<std::size_t>(b.rhs());
  if (n == 0 || static_cast<std::size_t>(x.rhs()) != n * rhs || how.tolerances.size() != n)
    fail(ErrorKind::bad_argument, text("%s: %zu shifts, %zu tolerances and %d solutions of %zu right-hand sides; they "
                                       "must agree, and be one shift at least",
                                       function, n, how.tolerances.size(), x.rhs(), rhs));
  for (std::size_t k = 0; k < n; k++)
    if (!(how.shifts[k] >= 0))
      fail(ErrorKind::bad_argument, text("%s: shift %zu is %g; allowed: 0 or more", function, k, how.shifts[k]));
  std::vector<std::size_t> order(n); // the smallest shift first; the solutions return to their places at the end
  std::iota(order.begin(), order.end(), 0);
  const auto least = std::min_element(how.shifts.begin(), how.shifts.end()) - how.shifts.begin();
  std::swap(order[0], order[static_cast<std::size_t>(least)]);

  std::vector<double> scale = finite_amax(function, b);
  for (double &one : scale) one = power_above(one);
  double least_part = 1; // the least relative residual requested
  std::vector<ColorSpinorField> solutions;
  for (std::size_t i = 0; i < n; i++) solutions.push_back(x.columns(static_cast<int>(i * rhs), b.rhs()));
  std::vector<ShiftedSystems::System> others;
  for (std::size_t i = 1; i < n; i++) {
    const Tolerance &tolerance = how.tolerances[order[i]];
    const double relative = relative_part(tolerance);
    if (relative > 0) least_part = std::min(least_part, relative);
    others.push_back({.shift = how.shifts[order[i]] - how.shifts[order[0]],
                      .relative = relative,
                      .absolute = tolerance.absolute,
                      .x = &solutions[i]});
  }
  blas::zero(x);

  /// Solves for the shifts numbered `at` and up, all right-hand sides of each.
  const auto solve_from = [&](std::size_t at, ColorSpinorField &part, std::span<const Tolerance> tolerances,
                              Precision sloppy, const Limits &limits, ShiftedSystems *shifted) {
    std::vector<double> of_columns;
    const auto select_rhs = [&](std::span<const int> numbers) {
      of_columns.clear();
      for (const int j : numbers) of_columns.push_back(how.shifts[order[at + static_cast<std::size_t>(j) / rhs]]);
    };
    const OperatorByPrecision::Make make = [&](Precision precision) {
      return std::make_unique<Shifted>(make_(precision), of_columns);
    };
    const auto A = make(outer_);
    OperatorByPrecision operators(*A, make, select_rhs);
    KrylovSolver solver(operators, conjugate_gradients(shifted), sloppy);
    if (shifted) {
      solver.relax(least_part);
      solver.accompany(*shifted);
    }
    return solver.solve(part, b, tolerances, limits, shifted == nullptr);
  };

  ShiftedReport report;
  report.shift.resize(n);
  ShiftedSystems shifted(std::move(others), std::move(scale));
  SolveReport &first = report.shift[order[0]];
  first = solve_from(0, solutions[0], std::span(&how.tolerances[order[0]], 1), how.sloppy, how.limits, &shifted);
  shifted.finish();
  report.iterations = first.iterations;
  report.flops = first.flops;

  SolveReport refined;
  if (how.refine && n > 1) {
    std::vector<Tolerance> tolerances;
    for (std::size_t i = 1; i < n; i++)
      for (std::size_t j = 0; j < rhs; j++) {
        tolerances.push_back(how.tolerances[order[i]]);
        if (!asked(tolerances.back()))
          tolerances.back().relative =
              std::max(1.1 * shifted.iterated(i - 1, j), outer_ == Precision::double_ ? 1e-12 : 1e-4);
      }
    ColorSpinorField rest = x.columns(b.rhs(), static_cast<int>((n - 1) * rhs));
    clear_spoiled(rest);
    refined = solve_from(1, rest, tolerances, how.refinement, how.refinement_limits, nullptr);
    if (refined.replacements > 1) report.iterations += refined.iterations;
    report.flops += refined.flops;
  }
  for (std::size_t i = 1; i < n; i++) {
    SolveReport &of = report.shift[order[i]];
    for (std::size_t j = 0; j < rhs; j++) {
      const bool good = !asked(how.tolerances[order[i]]) || shifted.reached(i - 1, j);
      of.rhs.push_back(how.refine ? refined.rhs[(i - 1) * rhs + j]
                                  : RhsReport {.outcome = good ? Outcome::converged : Outcome::iterations,
                                               .iterations = first.rhs[j].iterations});
      RhsReport &one = of.rhs.back();
      if (how.refine && one.iterations > 1)
        of.iterations = std::max(of.iterations, one.iterations);
      else
        one.iterated = shifted.iterated(i - 1, j);
    }
    if (of.iterations > 0) print(Verbosity::summarize, "Refining shift %zu: %d iterations\n", order[i], of.iterations);
  }
  for (int j = 0; least > 0 && j < b.rhs(); j++) blas::block::swap(x, j, static_cast<int>(least) * b.rhs() + j);
  report.seconds = timer.seconds();
  return report;
}

} // namespace quda
