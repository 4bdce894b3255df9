#pragma once
/// What a solve was asked for and how it ended.

#include <limits>
#include <vector>

namespace quda
{

/// Why work on a right-hand side stopped. `converged` is said of a true residual in the outer precision, and of nothing
/// else.
enum class Outcome {
  running,
  converged,
  precision_limit, // the tolerance is below what the outer precision can reach; it went as far as that
  iterations,      // the limit was reached
  stagnated,       // the true residual no longer falls
  breakdown,       // the recursion divided by zero, again and again
  indefinite,      // an operator that should be positive is not
  not_finite       // NaN or infinity in the outer precision
};

/// "converged", "the limit of iterations was reached", ...
const char *outcome_text(Outcome outcome);

/// What a solution must satisfy. Each number above 0 is a bound that the true residual must be strictly below.
struct Tolerance {
  double relative = 0;    // |b - A x| / |b|
  double absolute = 0;    // |b - A x|
  double heavy_quark = 0; // sqrt(mean over sites of |r(s)|^2 / |x(s)|^2)
};

struct Limits {
  int iterations = 1000;
  /// The true residual is computed, and the recursion put right by it, when the iterated one has fallen by this since
  /// the last time. 0 or out of range: 0.1.
  double reliable_delta = 0.1;
};

/// When low modes are taken from a residual again: when it has fallen by `first`, and by `then` each time after that, so
/// often at most. Below 1; 0: not again.
struct DeflateAgain {
  double first = 0, then = 0;
  int most = std::numeric_limits<int>::max();

  DeflateAgain() = default;
  /// Each time that it has fallen by this.
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
  /// After so many times.
  double fall(int times) const { return times >= most ? 0 : times == 0 ? first : then; }
};

struct RhsReport {
  Outcome outcome = Outcome::running;
  int iterations = 0;
  int replacements = 0;   // true residuals computed
  double iterated = 0;    // |r| / |b| of the recursion at its end
  double residual = 0;    // |b - A x| / |b|, computed in the outer precision from the solution that is returned
  double heavy_quark = 0; // where it was asked for
};

struct SolveReport {
  std::vector<RhsReport> rhs;
  int iterations = 0;            // of the slowest right-hand side
  int replacements = 0;          // true residuals of the one that took most
  int escalations = 0;           // changes to a better precision
  double flops = 0;              // of this rank
  double largest_eigenvalue = 0; // of what the method sees, where that was estimated
  double seconds = 0;

  bool converged() const
  {
    for (const RhsReport &one : rhs)
      if (one.outcome != Outcome::converged) return false;
    return true;
  }
};

} // namespace quda
