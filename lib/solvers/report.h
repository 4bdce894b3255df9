#pragma once
/// Tolerance and report of a solve, and what it refuses.

#include <limits>
#include <vector>

#include "core/error.h"

namespace quda
{

class ColorSpinorField;

/// A source or a first guess with a NaN, an infinity, or a number so large that the operator makes one of it.
class NotFinite : public FoundTogether
{
public:
  /// by: the function or method that found it, as long-lived as a literal; rhs: number of the right-hand side.
  NotFinite(const char *by, bool guess, int rhs);

  const char *by;
  bool guess;
  int rhs;
};

/// The largest magnitude of a real number of each right-hand side; throws NotFinite. Collective.
std::vector<double> finite_amax(const char *by, const ColorSpinorField &field, bool guess = false);

/// Reason why work on a right-hand side stopped. `converged` always refers to a true residual in the outer
/// precision.
enum class Outcome {
  running,
  converged,
  precision_limit, // the tolerance is below the reach of the outer precision, which is exhausted
  iterations,      // the limit was reached
  stagnated,       // the true residual no longer falls
  breakdown,       // the recursion divided by zero repeatedly
  indefinite,      // the operator should be positive and is not
  not_finite       // NaN or infinity in the outer precision
};

/// "converged", "the limit of iterations was reached", ...
const char *outcome_text(Outcome outcome);

/// Tolerance of a solution. Each number above 0 is a bound that the true residual must be strictly below.
struct Tolerance {
  double relative = 0;    // |b - A x| / |b|
  double absolute = 0;    // |b - A x|
  double heavy_quark = 0; // sqrt(mean over sites of |r(s)|^2 / |x(s)|^2)
};

struct Limits {
  int iterations = 1000;
  /// The true residual is computed, and the recursion corrected by it, when the iterated residual has fallen by this
  /// factor since the last time. 0 or out of range: 0.1.
  double reliable_delta = 0.1;
};

/// Schedule of removing low modes from a residual again: when it has fallen by `first`, then each time by `then`, at
/// most `most` times. Below 1; 0: never.
struct DeflateAgain {
  double first = 0, then = 0;
  int most = std::numeric_limits<int>::max();

  DeflateAgain() = default;
  /// The same factor each time.
  DeflateAgain(double fall)
      : first(fall)
      , then(fall)
  {
  }
  DeflateAgain(double first, double then, int most)
      : first(first)
      , then(then)
      , most(most)
  {
  }
  /// The factor after `times` times.
  double fall(int times) const { return times >= most ? 0 : times == 0 ? first : then; }
};

struct RhsReport {
  Outcome outcome = Outcome::running;
  int iterations = 0;
  int replacements = 0;   // true residuals computed
  double iterated = 0;    // |r| / |b| of the recursion at its end
  double residual = 0;    // |b - A x| / |b|, computed in the outer precision from the solution that is returned
  double heavy_quark = 0; // if it was requested
};

struct SolveReport {
  std::vector<RhsReport> rhs;
  int iterations = 0;            // of the slowest right-hand side
  int replacements = 0;          // true residuals, of the right-hand side with most
  int escalations = 0;           // changes to a better precision
  double flops = 0;              // on this rank
  double largest_eigenvalue = 0; // of the method's system, if it was estimated
  double seconds = 0;

  bool converged() const
  {
    for (const RhsReport &one : rhs)
      if (one.outcome != Outcome::converged) return false;
    return true;
  }
};

} // namespace quda
