#pragma once
/// Stopping rules of a solve, from numbers only: the fate of a right-hand side after a cycle of its method, and the
/// precision in which a relaxing method goes on.
/// Residuals are true ones, in the outer precision, unless they are named as the recursion's.

#include <limits>
#include <optional>

#include "core/types.h"
#include "solvers/report.h"

namespace quda
{

constexpr int most_cycle_steps = 500; // without computing the true residual

/// Residual below which the recursion's residual is only rounding, |b| being `source`.
double meaningless_residual(Precision outer, double source);

/// Residual that rounding of b and A x can cause.
double rounding_limit(Precision precision, double source, double solution);

/// Progress of one right-hand side.
struct Progress {
  double source = 0;   // |b|
  double target = 0;   // of |r|
  double residual = 0; // the last one
  double before = 0;   // the one before the last cycle
  double best = std::numeric_limits<double>::infinity();
  double begin = 0;   // the recursion's residual when the cycle began,
  double aim = 0;     // its target,
  double back_at = 0; // and the value at which the method comes back, if not earlier
  double pause = 0;   // residual at which low modes are removed from it again; 0: never
  double tight = 1;   // below 1 after the recursion was too hopeful
  int idle = 0;       // cycles in a row without progress
  int breakdowns = 0;
  int corrections = 0; // times that low modes were removed from it

  /// Records a computed residual.
  void measured(double norm)
  {
    before = residual;
    residual = norm;
  }
  /// Records a removal of low modes, and sets when the next is due.
  void corrected(const DeflateAgain &again);
  /// Whether that is due now.
  bool due() const;
  /// Begins a cycle with this residual of the recursion. of_normal: |A^dag r|, which falls about as |r| does.
  void set_aim(double norm, bool of_normal, Precision outer);
  /// Ends a cycle of `steps` steps with the recursion's residual `iterated`; returns the reason to stop, if any.
  /// outermost: there is no better precision. `stagnated` may be the limit of the precision (rounding_limit()).
  std::optional<Outcome> judge(Outcome outcome, double iterated, int steps, bool outermost);
  /// Whether only a better precision helps.
  bool stuck(Outcome outcome) const;
};

/// Precisions of a method whose recursion is to be accurate to a part of |b| (KrylovSolver::relax): an error of a
/// product counts in proportion to the residual that it is made with.
struct Relaxation {
  double part = 0; // 0: the method begins in the precision `first`
  Precision outer, first;

  /// The residual, relative to |b|, below which a precision is good enough.
  double allowed_from(Precision precision) const;
  /// The lowest precision that is good enough, between outer and first.
  Precision level(double residual) const;
  /// Factor by which the residual falls until the precision below `now` is good enough; 0: there is none.
  double fall(Precision now, double residual) const;
};

} // namespace quda
