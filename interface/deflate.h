#pragma once

/// Deflated solves, QudaInvertParam.eig_param: low modes are removed from the residual. They are found before the first
/// solve, and with preserve_deflation they stay in the library for later ones.
///
/// Modes      : the n_conv eigenvectors with the smallest eigenvalues, of which n_ev_deflate are used, of the
///              method's matrix if it is Hermitian and positive, else of A^dag A, where they are the right singular
///              vectors (solvers/deflation.h); found as in eigensolveQuda(). The operator is that of the solve:
///              QudaEigParam's invert_param, use_norm_op, use_dagger, use_pc, compute_svd and compute_gamma5 are not
///              read. tol_restart says how often they are removed again. For methods with the matrix itself, whose
///              products lead from other modes back to these, 0.1 saves most iterations; for normal equations 5e-5
///              suffices.
/// Precision  : the modes are kept in cuda_prec_eigensolver (unset: cuda_prec_sloppy) and sought in it, or in single
///              precision if it is half or quarter.
/// Kept       : in preserve_deflation_space, a handle that the library writes; with preserve_deflation =
///              QUDA_BOOLEAN_FALSE the modes are freed after the solve and the handle becomes null; endQuda() frees
///              all. Modes of other links or of another operator, or too few of them, are found anew, with a message;
///              for the same ones V^dag A V is computed anew if preserve_evals is QUDA_BOOLEAN_FALSE.
/// Errors     : bad_argument and unsupported, naming function, member and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "solvers/dirac_solver.h"

#include <optional>
#include <string>

namespace quda
{

/// A checked request for deflation.
struct Deflation {
  QudaEigParam *param;
  EigenOptions options;
  LinkStorage search;
  Precision kept;
  int used;       // number of modes in use
  std::string of; // name of the operator
  bool known;     // whether the modes exist
};

/// Refuses solves without support for low modes. set: "eig_param is set", or another reason for them; otherwise: the
/// remedy.
void check_low_mode_solve(const char *function, const QudaInvertParam &param, const DiracSolve &how,
                          const std::string &set, const char *otherwise);

/// None if eig_param is null. how: the solve.
std::optional<Deflation> prepare_deflation(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how);

/// The modes during a call.
class LowModes
{
public:
  LowModes(Session &session, const Deflation &deflation);
  ~LowModes();
  LowModes(const LowModes &) = delete;
  LowModes &operator=(const LowModes &) = delete;

  /// Gives the modes to the solve; finds them first if they do not exist. Returns flops of this rank. Collective.
  double provide(const char *function, const Dirac &dirac, DiracSolve &how);

private:
  Handles<DeflationSpace> &held_;
  const Deflation &deflation_;
  DeflationSpace &space_;
};

} // namespace quda
