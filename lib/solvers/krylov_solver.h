#pragma once
/// The one driver of all Krylov methods: it owns scaling, initial guess, true residuals, precision, stop and report.
///
/// A right-hand side is converged when the true residual, computed in the outer precision from the solution that is
/// returned, is below the tolerance; nothing else makes it so. A method runs in the sloppy precision until a right-hand
/// side is below its target or its residual has fallen by reliable_delta; the correction goes into the solution, the
/// true residual is computed, and the method goes on with it (reliable updates). Where the true residual no longer
/// falls, or is not finite, the next better precision takes over, down to the outer one. Right-hand sides that are done
/// leave the work.
///
/// Each goes its own way: one that comes back for its true residual, alone, would break the work of all, so it waits,
/// taking no part, until a third of them do or none goes on, and then they get theirs in one product. One that needs a
/// better precision waits for the end of the others. Methods that go in step (Together::turn) wait for all; of those that
/// mix right-hand sides, and with companions, all come back at once.
///
/// Sources are scaled by powers of two, which changes no bit of an ordinary solve, so 1e150 and 1e-150 are as good
/// as 1. A source that is zero has the solution zero. The bits of a solution do not depend on threads, ranks,
/// instruction set, tuning, nor on the order of right-hand sides; nor, where right-hand sides go their own ways and reach
/// neither the limit of iterations nor 500 without a true residual, on what others there are. Collective over the operators' communicator:
/// decisions are made from sums that are the same on all ranks.

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
  /// sloppy: the precision the method begins in. The operators must outlive the solver.
  KrylovSolver(OperatorByPrecision &operators, MakeMethod method, Precision sloppy, System system = System::direct);
  /// To be called before solve() where residuals of the recursion itself must be true to this part of |b|: the method
  /// begins in the outer precision and goes on in lower ones as the residual falls, at last in the sloppy one. An error
  /// of a product counts in proportion to the residual that it is made with (van den Eshof and Sleijpen, SIAM J. Matrix
  /// Anal. Appl. 26 (2004) 125).
  void relax(double part);
  /// To be called before solve(): low modes of A where that is Hermitian and positive, of A^dag A elsewhere, are taken
  /// from the residual to begin with, and again when `again` says so. The space must outlive the solver.
  void deflate(DeflationSpace &space, const DeflateAgain &again);
  /// Systems that the method solves besides; must outlive the solver.
  void accompany(Companion &companion);
  ~KrylovSolver();

  /// Solves A x_j = b_j; x holds an initial guess where `guess` is set. Both native, in the outer precision. Errors:
  /// bad_argument where b or the guess is not finite, naming the right-hand side. Everything else is in the report.
  SolveReport solve(ColorSpinorField &x, const ColorSpinorField &b, const Tolerance &tolerance, const Limits &limits,
                    bool guess = false)
  {
    return solve(x, b, std::span(&tolerance, 1), limits, guess);
  }
  /// The same with a tolerance for each right-hand side of x, or one for all. b may have fewer right-hand sides than x:
  /// they follow again and again.
  SolveReport solve(ColorSpinorField &x, const ColorSpinorField &b, std::span<const Tolerance> tolerances,
                    const Limits &limits, bool guess = false);

private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// "CG: 12 right-hand sides, 1043 iterations, ...": one line for people.
std::string summary(const char *method, const SolveReport &report, const Tolerance &tolerance);

} // namespace quda
