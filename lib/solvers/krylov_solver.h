#pragma once
/// Driver of all Krylov methods: scaling, initial guess, true residuals, precision, stopping and report.
///
/// A right-hand side is converged if the true residual, computed in the outer precision from the solution that is
/// returned, is below the tolerance, and in no other case. A method runs in the sloppy precision until a right-hand
/// side is below its target or its residual has fallen by reliable_delta; the correction is added to the solution, the
/// true residual is computed, and the method goes on with it (reliable updates). If the true residual no longer falls,
/// or is not finite, the next better precision takes over, down to the outer one. Converged right-hand sides leave the
/// work.
///
/// Right-hand sides progress independently. A true residual for a single one would interrupt all others, so it waits
/// until a third of them wait or none goes on, and then they get theirs in one product. One that needs a better
/// precision waits for the end of the others. Methods whose columns go in step (Together::turn) wait for all. If a
/// method mixes right-hand sides, and with companions, all come back at once.
///
/// Sources are scaled by powers of two, which changes no bit of an ordinary solve, so that 1e150 and 1e-150 work as
/// well as 1. A zero source has the solution zero. The bits of a solution do not depend on threads, ranks, instruction
/// set, tuning or the order of right-hand sides; nor on the other right-hand sides if they progress independently and
/// reach neither the limit of iterations nor 500 without a true residual. Collective over the operators' communicator:
/// decisions are made from sums that are equal on all ranks.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include "solvers/companion.h"
#include "solvers/operator_by_precision.h"
#include "solvers/report.h"

namespace quda
{

class DeflationSpace;

class KrylovSolver
{
public:
  /// sloppy: the precision that the method begins in. The operators must outlive the solver.
  KrylovSolver(OperatorByPrecision &operators, MakeMethod method, Precision sloppy, System system = System::direct);
  /// Called before solve() if the residuals of the recursion itself must be accurate to this part of |b|: the method
  /// begins in the outer precision and goes on in lower ones as the residual falls, at last in the sloppy one. An error
  /// of a product counts in proportion to the residual that it is made with (van den Eshof and Sleijpen, SIAM J. Matrix
  /// Anal. Appl. 26 (2004) 125).
  void relax(double part);
  /// Called before solve(): low modes of A, if it is Hermitian and positive, else of A^dag A, are removed from the
  /// residual at the start, and again when `again` says so. The space must outlive the solver.
  void deflate(DeflationSpace &space, const DeflateAgain &again);
  /// Adds systems that the method solves in addition; they must outlive the solver.
  void accompany(Companion &companion);
  ~KrylovSolver();

  /// Solves A x_j = b_j; x holds an initial guess if `guess` is set. Both native, in the outer precision. Errors:
  /// NotFinite. All else is in the report.
  SolveReport solve(ColorSpinorField &x, const ColorSpinorField &b, const Tolerance &tolerance, const Limits &limits,
                    bool guess = false)
  {
    return solve(x, b, std::span(&tolerance, 1), limits, guess);
  }
  /// The same with a tolerance for each right-hand side of x, or one for all. b may have fewer right-hand sides than x:
  /// they are used cyclically.
  SolveReport solve(ColorSpinorField &x, const ColorSpinorField &b, std::span<const Tolerance> tolerances,
                    const Limits &limits, bool guess = false);

private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// One line for the log: "CG: 12 right-hand sides, 1043 iterations, ...".
std::string summary(const char *method, const SolveReport &report, const Tolerance &tolerance);

} // namespace quda
