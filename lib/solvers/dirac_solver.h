#pragma once
/// Linear systems of a Dirac operator: what stands around a Krylov solve.
///
///   A x = b, A being M or M_pc, the adjoint, or the normal form of either (dirac/dirac_system.h)
/// is solved as it stands, or on one parity with the source prepared and the solution reconstructed (dirac/dirac.h);
/// by the matrix itself or by normal equations. By the matrix itself A^dag A x = b takes two solves, A^dag y = b and
/// A x = y. Of both and of prepared sources |b - A x| is computed at the end and decides: what is missing is solved for,
/// and a solution that still is none is not called one. With weights the report is that of what the Krylov method sees;
/// a normal system, whose weighted form is not Hermitian, is solved by its normal operator without them until the
/// weighted residual |W^-1 (b - A x)| is what was asked.
/// Steps of several solves are added.
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

namespace quda
{

enum class Equations {
  direct,          ///< A x = b
  normal_operator, ///< A^dag A x = A^dag b, judged by its own residual
  normal_error     ///< A A^dag y = b, x = A^dag y
};

struct DiracSolve {
  DiracSystemForm system {};        // A
  std::optional<MatPC> prepared {}; // M x = b by way of M_pc; none: as it stands
  Equations equations = Equations::direct;
  Method method = Method::bicgstab;
  MethodOptions options {};
  std::optional<DiracPreconditionerForm> precondition {}; // of methods that take a preconditioner
  PreconditionerSource *preconditioner = nullptr;         // in its place; must outlive the solve
  std::optional<LinkStorage> sloppy {};                   // of the iterations; none: the operator's own
  Tolerance tolerance {};
  Limits limits {};
  bool guess = false; // x holds a first guess

  /// Solutions of earlier systems, as the method sees them.
  Chronology *history = nullptr;
  bool extrapolate = false; // the first guess is made of them, whatever `guess` says
  int remember = 0;         // the solution is kept as the newest of so many; 0: it is not
  bool replace_newest = false;
  Precision history_precision = Precision::double_;

  /// Low modes of low_mode_system(), which are taken from the residual before the iterations, and again when this says
  /// so. Not with weights, nor where a normal system takes two solves.
  DeflationSpace *low_modes = nullptr;
  DeflateAgain deflate_again {};
};

/// The system that the method sees of A x = b, on the parity that it is solved on.
DiracSystemForm form_of_method(const DiracSolve &how);
/// The matrix whose low modes serve such a solve: that of the method where it is Hermitian and positive, its normal
/// form elsewhere.
std::unique_ptr<DiracSystem> low_mode_system(const Dirac &dirac, const DiracSolve &how, LinkStorage storage);

/// Solves A x_j = b_j. x, b: native, on all sites where A is M, else on the parity of M_pc, in the operator's
/// precision. A sloppy precision or reconstruct that this build has no kernels for is replaced by the next better one.
/// Says at Verbosity::summarize how it ended. Collective over the fields' communicator. Errors: as KrylovSolver::solve;
/// bad_argument for systems, equations and methods that do not go together.
SolveReport solve(const Dirac &dirac, const DiracSolve &how, ColorSpinorField &x, const ColorSpinorField &b);

/// Several shifts of one matrix.
struct DiracShifts {
  DiracSystemForm system {}; // hermitian and positive, or normal
  std::vector<double> shifts;
  std::vector<Tolerance> tolerances;                   // of each
  std::optional<LinkStorage> sloppy {}, refinement {}; // of the iterations; none: the operator's own
  Limits limits {}, refinement_limits {};
  bool refine = true;
};

/// Solves (A + s_k) x_k,j = b_j (solvers/multi_shift.h). x: all j for each k. The rest as above.
ShiftedReport solve(const Dirac &dirac, const DiracShifts &how, ColorSpinorField &x, const ColorSpinorField &b);

} // namespace quda
