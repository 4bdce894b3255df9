#pragma once
/// Stopping rules of a solve, from numbers alone: what becomes of a right-hand side after a cycle of its method, and in
/// which precision a method that relaxes goes on.
/// Residuals are true ones, in the outer precision, unless they are said to be the recursion's.

#include <limits>
#include <optional>

#include "core/types.h"
#include "solvers/report.h"

namespace quda
{

constexpr int most_cycle_steps = 500; // without a look at the true residual

/// Residual below which that of a recursion is rounding and says nothing, |b| being `source`.
double meaningless_residual(Precision outer, double source);

/// Residual that rounding of b and A x may leave by itself.
double rounding_limit(Precision precision, double source, double solution);

/// How far one right-hand side has come.
struct Progress {
  double source = 0;   // |b|
  double target = 0;   // of |r|
  double residual = 0; // the last
  double before = 0;   // that before the last cycle
  double best = std::numeric_limits<double>::infinity();
  double begin = 0;   // the recursion's residual when the cycle began,
  double aim = 0;     // and what it is to reach,
  double back_at = 0; // if not to come back before, at this
  double pause = 0;   // residual at which low modes are taken from it again; 0: they are not
  double tight = 1;   // below 1 after the recursion was too hopeful
  int idle = 0;       // cycles in a row without progress
  int breakdowns = 0;
  int corrections = 0; // how often low modes were taken from it

  /// A residual was computed.
  void measured(double norm)
  {
    before = residual;
    residual = norm;
  }
  /// Low modes were taken from it, and when they will be again.
  void corrected(const DeflateAgain &again);
  /// Whether that is now.
  bool due() const;
  /// A cycle begins with this residual of the recursion. of_normal: |A^dag r|, which falls about as |r| does.
  void set_aim(double norm, bool of_normal, Precision outer);
  /// A cycle of `steps` has ended with the recursion's residual at `iterated`: why to stop, if so. outermost: there is
  /// no better precision. `stagnated` may be as far as the precision goes (rounding_limit()).
  std::optional<Outcome> judge(Outcome outcome, double iterated, int steps, bool outermost);
  /// Whether only a better precision helps.
  bool stuck(Outcome outcome) const;
};

/// Precisions of a method whose recursion is to be true to a part of |b| (KrylovSolver::relax): an error of a product
/// counts in proportion to the residual that it is made with.
struct Relaxation {
  double part = 0; // 0: the method begins in the precision `first`
  Precision outer, first;

  /// The residual, in units of |b|, from which on a precision is good enough.
  double allowed_from(Precision precision) const;
  /// The lowest that is, of those between outer and first.
  Precision level(double residual) const;
  /// The fall of the residual after which the precision below `now` is good enough; 0: there is none.
  double fall(Precision now, double residual) const;
};

} // namespace quda
