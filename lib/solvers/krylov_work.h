#pragma once
/// One solve of KrylovSolver: its right-hand sides, where each of them is, and what becomes of it.
///
/// Right-hand sides are columns of fields. They stand in this order: those that the method works on; those that came back
/// from it and wait for their true residuals; those that a better precision is to go on with, which the method does not
/// have any more. Fields and the method show a run of them, and what is said of columns in a function is about those in
/// view. Internal to krylov_solver.

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

/// Fields live on for the next solve.
struct KrylovWork {
  /// How a right-hand side goes on: with another residual, from which low modes were taken or not, from the beginning, or
  /// in a better precision.
  enum class Next { replace, without_modes, anew, aside };

  /// State of one right-hand side while it is worked on; b and all residuals are scaled.
  struct Column : Progress {
    int number;   // in the caller's order
    double scale; // b = scale times what is solved
    int steps = 0;
    // since its residual was computed: what its recursion has come to
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
  ActiveColumns direction, product; // outer precision, while low modes are taken from the method's direction
  std::vector<Column> columns;
  int first = 0, shown = 0; // in view
  int at_work = 0, here = 0;
  Relaxation relaxation;
  Precision level {};
  std::unique_ptr<LinearOperator> normal; // of the level
  std::unique_ptr<KrylovMethod> iteration;
  SolveReport report;
  std::vector<Tolerance> tolerances; // one for all, or one each
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

  /// Fields alone, before the method has any of them.
  void show(int from, int count);
  /// In the caller's order.
  std::vector<int> numbers()
  {
    std::vector<int> all;
    for (const Column &c : in_view()) all.push_back(c.number);
    return all;
  }
  /// The method too.
  void view(int from, int count)
  {
    show(from, count);
    if (count > 0) iteration->view(from, count);
  }

  /// Columns i and j change places. with_r: their residuals, too.
  void exchange(int i, int j, bool with_r);

  /// Whether the numbers of one depend on what the others do.
  bool coupled() const { return companion || relaxation.part > 0 || iteration->together() == Together::all; }

  void set_level(Precision precision);

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
  void true_residual();

  /// A^dag r.
  const ColorSpinorField &adjoint_residual(Sums *sums = nullptr)
  {
    outer().apply({.out = *adjoint_r, .in = *r, .dagger = true, .end = {.norm = sums != nullptr}}, sums);
    return *adjoint_r;
  }

  bool positive() const { return outer().symmetry() == Symmetry::positive; }

  /// The part of the solutions that lies in the low modes, and the residuals that it leaves.
  void deflate();

  /// The same of the direction that the method goes on with: what of it lies in the low modes, as their matrix has it,
  /// would lead back to them.
  void deflate_direction();

  /// The residual of the system that the method sees, in its precision, and what it is to aim at.
  const ColorSpinorField &residual_for_the_method();

  void take_correction();

  /// Column j of those in view.
  double heavy_quark(int j) { return blas::block::heavy_quark(x->columns(j, 1), r->columns(j, 1))[0]; }

  RhsReport &of(const Column &c) { return report.rhs[static_cast<std::size_t>(c.number)]; }

  void decide(Column &c, Outcome outcome);
  bool decided(const Column &c) { return of(c).outcome != Outcome::running; }

  /// Whether the true residual is what was asked for. The heavy-quark residual is looked at when the other is small
  /// enough; where it is not, the other's target moves.
  bool good(int j);

  /// What the recursion promised, and what came of it.
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

  /// Column i is no longer the method's.
  void set_aside(int i)
  {
    if (companion) companion->drop(i);
    exchange(i, here - 1, true);
    here--;
  }

  /// The solution of column i goes to the caller; the column leaves.
  void leave(int i, ColorSpinorField &to);
};

} // namespace quda
