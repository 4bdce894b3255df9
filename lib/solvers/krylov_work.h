#pragma once
/// State of one solve of KrylovSolver: its right-hand sides, where each of them stands, and the decisions about them.
///
/// Right-hand sides are columns of fields, in this order: those that the method works on; those that came back from it
/// and wait for their true residuals; those that wait for a better precision, which the method has no longer. Fields
/// and the method show a range of them; functions that speak of columns mean the columns in view. Internal to
/// krylov_solver.

#include <memory>
#include <span>
#include <vector>

#include "solvers/companion.h"
#include "solvers/deflation.h"
#include "solvers/operator_by_precision.h"
#include "solvers/report.h"
#include "solvers/stopping.h"

namespace quda
{

/// State of a solve; its fields live on for the next one.
struct KrylovWork {
  /// Continuation of a right-hand side: with another residual, from which low modes were removed or not, from the
  /// beginning, or in a better precision.
  enum class Next { replace, without_modes, anew, aside };

  /// State of one right-hand side; b and all residuals are scaled.
  struct Column : Progress {
    int number;   // in the caller's order
    double scale; // b = scale times the source of the scaled system
    int steps = 0;
    // progress of its recursion since the last true residual
    int cycle_steps = 0;
    double iterated = 0;
    Outcome outcome = Outcome::running;
    Next next = Next::replace;
  };

  OperatorByPrecision &operators;
  MakeMethod method;
  System system;
  Companion *companion = nullptr;
  DeflationSpace *low_modes = nullptr;
  DeflateAgain deflate_again;

  ActiveColumns x, b, r, adjoint_r, correction; // outer precision
  ActiveColumns sloppy_r;
  ActiveColumns direction, product; // outer precision, while low modes are removed from the method's direction
  std::vector<Column> columns;
  int first = 0, shown = 0; // the range in view
  int at_work = 0, here = 0;
  Relaxation relaxation;
  Precision level {};
  std::unique_ptr<LinearOperator> normal; // normal operator of this level
  std::unique_ptr<KrylovMethod> iteration;
  SolveReport report;
  std::vector<Tolerance> tolerances; // one for all, or one per right-hand side
  Limits limits;

  KrylovWork(OperatorByPrecision &operators, MakeMethod method, Precision first, System system)
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
  std::span<Column> in_view()
  {
    return std::span(columns).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(shown));
  }

  /// Views fields only, before the method has any columns.
  void show(int from, int count);
  /// Numbers of the columns in the caller's order.
  std::vector<int> numbers()
  {
    std::vector<int> all;
    for (const Column &c : in_view()) all.push_back(c.number);
    return all;
  }
  /// Views fields and the method.
  void view(int from, int count)
  {
    show(from, count);
    if (count > 0) iteration->view(from, count);
  }

  /// Swaps columns i and j. with_r: their residuals, too.
  void exchange(int i, int j, bool with_r);

  /// Whether the numbers of one right-hand side depend on the others.
  bool coupled() const { return companion || relaxation.part > 0 || iteration->together() == Together::all; }

  void set_level(Precision precision);

  /// The largest residual, relative to |b|.
  double farthest() const
  {
    double part = 0;
    for (const Column &c : columns) part = std::max(part, c.residual / c.source);
    return part;
  }
  bool outermost() const { return level == outer().precision(); }
  /// Factor by which the residual falls before the true one is computed.
  double delta() const
  {
    const double reliable = outermost() ? 0 : limits.reliable_delta;
    return report.escalations > 0 ? reliable : std::max(reliable, relaxation.fall(level, farthest()));
  }

  /// r = b - A x and its norms, in the outer precision.
  void true_residual();

  /// A^dag r.
  const ColorSpinorField &adjoint_residual(Sums *sums = nullptr)
  {
    outer().apply({.out = *adjoint_r, .in = *r, .dagger = true, .end = {.norm = sums != nullptr}}, sums);
    return *adjoint_r;
  }

  bool positive() const { return outer().symmetry() == Symmetry::positive; }

  /// Solves for the components in the low modes, and updates the residuals.
  void deflate();

  /// Does the same for the direction that the method goes on with: its components in the low modes, with respect to
  /// their matrix, would lead back to them.
  void deflate_direction();

  /// The residual of the system that the method solves, in its precision; sets the method's targets.
  const ColorSpinorField &residual_for_the_method();

  void take_correction();

  /// Heavy-quark residual of column j in view.
  double heavy_quark(int j) { return blas::block::heavy_quark(x->columns(j, 1), r->columns(j, 1))[0]; }

  RhsReport &of(const Column &c) { return report.rhs[static_cast<std::size_t>(c.number)]; }

  void decide(Column &c, Outcome outcome);
  bool decided(const Column &c) { return of(c).outcome != Outcome::running; }

  /// Whether the true residual satisfies the tolerance. The heavy-quark residual is checked when the other one is small
  /// enough; if it fails, the target of the other is lowered.
  bool good(int j);

  /// Compares the promise of the recursion with the true residual.
  void judge(int j);

  void begin(const ColorSpinorField &source, const ColorSpinorField *guess, const std::vector<double> &largest,
             std::size_t solutions);
  void run(ColorSpinorField &to);
  void work(ColorSpinorField &to);
  int come_back(const CycleResult &cycle);
  void settle(ColorSpinorField &to);
  enum class Entry { start, restart, replace };
  void enter(int from, int count, Entry how);
  template <class Is> int part(int from, int to, bool with_r, const Is &behind);
  void release(ColorSpinorField &to);

  /// Takes column i from the method.
  void set_aside(int i)
  {
    if (companion) companion->drop(i);
    exchange(i, here - 1, true);
    here--;
  }

  /// Copies the solution of column i to the caller and removes the column.
  void leave(int i, ColorSpinorField &to);
};

} // namespace quda
