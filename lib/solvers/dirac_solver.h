#pragma once
/// Solver of linear systems of a Dirac operator: it prepares a Krylov solve and completes its solution.
///
///   A x = b, A being M or M_pc, the adjoint, or the normal form of either (dirac/dirac_system.h)
/// is solved as it stands, or on one parity with the source prepared and the solution reconstructed (dirac/dirac.h),
/// with the matrix itself or with normal equations. With the matrix itself A^dag A x = b takes two solves, A^dag y = b
/// and A x = y. Here, for normal equations and for prepared sources |b - A x| is computed at the end and decides: the
/// remaining residual is solved for again, and an insufficient solution is not called converged. With weights the
/// report is about the system of the Krylov method. A normal system, whose weighted form is not Hermitian, is solved by
/// its normal operator without weights until the weighted residual |W^-1 (b - A x)| is small enough.
/// The steps of several solves are added.
///
///   DiracSolve how;
///   how.prepared = MatPC::even_even;
///   how.tolerance.relative = 1e-10;
///   const SolveReport report = solve(*dirac, how, x, b);

#include "dirac/dirac_system.h"
#include "ops/links/link_set.h"
#include "solvers/chronology.h"
#include "solvers/deflation.h"
#include "solvers/dirac_preconditioner.h"
#include "solvers/method.h"
#include "solvers/multi_shift.h"

#include <span>

namespace quda
{

enum class Equations {
  direct,          ///< A x = b
  normal_operator, ///< A^dag A x = A^dag b, judged by its own residual
  normal_error     ///< A A^dag y = b, x = A^dag y
};

struct DiracSolve {
  DiracSystemForm system {};        // A
  std::optional<MatPC> prepared {}; // M x = b through M_pc; none: without preparation
  Equations equations = Equations::direct;
  Method method = Method::bicgstab;
  MethodOptions options {};
  std::optional<DiracPreconditionerForm> precondition {}; // for methods that take a preconditioner
  PreconditionerSource *preconditioner = nullptr;         // replaces `precondition`; must outlive the solve
  std::optional<LinkStorage> sloppy {};                   // of the iterations; none: the operator's own
  Tolerance tolerance {};
  Limits limits {};
  bool guess = false;                 // x holds a first guess
  std::span<const double> largest {}; // finite_amax() of the sources; empty: the solve looks at them itself

  /// Solutions of earlier systems, as the method solves them.
  Chronology *history = nullptr;
  bool extrapolate = false; // makes the first guess from them, whatever `guess` says
  int remember = 0;         // keeps the solution as the newest of this number; 0: does not keep it
  bool replace_newest = false;
  Precision history_precision = Precision::double_;

  /// Low modes of low_mode_system(), which are removed from the residual before the iterations, and again when
  /// deflate_again says so. Not allowed with weights, nor for a normal system that takes two solves.
  DeflationSpace *low_modes = nullptr;
  DeflateAgain deflate_again {};
};

/// Form of the system that the method solves for A x = b, on the parity of the solve.
DiracSystemForm form_of_method(const DiracSolve &how);
/// The matrix whose low modes serve such a solve: the matrix of the method if it is Hermitian and positive, else its
/// normal form.
std::unique_ptr<DiracSystem> low_mode_system(const Dirac &dirac, const DiracSolve &how, LinkStorage storage);

/// Solves A x_j = b_j. x, b: native, on all sites if A is M, else on the parity of M_pc, in the operator's precision. A
/// sloppy precision or reconstruct that this build has no kernels for is replaced by the next better one. Prints the
/// outcome at Verbosity::summarize. Collective over the fields' communicator. Errors: as KrylovSolver::solve, and
/// bad_argument for combinations of system, equations and method that do not fit.
SolveReport solve(const Dirac &dirac, const DiracSolve &how, ColorSpinorField &x, const ColorSpinorField &b);

/// Parameters of a solve with several shifts of one matrix.
struct DiracShifts {
  DiracSystemForm system {}; // hermitian and positive, or normal
  std::vector<double> shifts;
  std::vector<Tolerance> tolerances;                   // one per shift
  std::optional<LinkStorage> sloppy {}, refinement {}; // of the iterations; none: the operator's own
  Limits limits {}, refinement_limits {};
  bool refine = true;
};

/// Solves (A + s_k) x_k,j = b_j (solvers/multi_shift.h). x: all j for each k. The rest is as above.
ShiftedReport solve(const Dirac &dirac, const DiracShifts &how, ColorSpinorField &x, const ColorSpinorField &b);

} // namespace quda
