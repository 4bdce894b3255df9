#pragma once

/// Deflated solves, QudaInvertParam.eig_param: the low modes that they take from the residual, which are found before
/// the first one, and with preserve_deflation stay in the library for those that follow.
///
/// Modes      : the n_conv eigenvectors, of which n_ev_deflate are used, with the smallest eigenvalues of the matrix
///              that the method sees where it is Hermitian and positive, else of A^dag A, of which they are the right
///              singular vectors (solvers/deflation.h); found as eigensolveQuda() finds them. The operator is that of
///              the solve: QudaEigParam's invert_param, use_norm_op, use_dagger, use_pc, compute_svd and compute_gamma5
///              are not read.
///              tol_restart says how often they are taken again. Of methods by the matrix itself, whose products lead from
///              the other modes back to these, 0.1 saves the most iterations; of those by normal equations 5e-5 will do.
/// Precision  : the modes are kept in cuda_prec_eigensolver, unset cuda_prec_sloppy, and sought in it, or in single
///              precision where it is half or quarter.
/// Kept       : by preserve_deflation_space, a handle that the library writes; with preserve_deflation =
///              QUDA_BOOLEAN_FALSE the modes are freed and it becomes null after the solve, and endQuda() frees all.
///              Modes of other links, of another operator, or too few of them, are found anew with a message; of the
///              same ones V^dag A V is computed anew where preserve_evals is QUDA_BOOLEAN_FALSE.
/// Errors     : bad_argument and unsupported, naming function, member and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "solvers/dirac_solver.h"

#include <optional>
#include <string>

namespace quda
{

/// A checked one.
struct Deflation {
  QudaEigParam *param;
  EigenOptions options;
  LinkStorage search;
  Precision kept;
  int used;       // of the modes
  std::string of; // name of the operator
  bool known;     // the modes are there
};

/// Refuses solves that low modes are not built for. set: "eig_param is set", or what else asks for them; otherwise: what
/// would do without.
void check_low_mode_solve(const char *function, const QudaInvertParam &param, const DiracSolve &how,
                          const std::string &set, const char *otherwise);

/// None where eig_param is null. how: the solve.
std::optional<Deflation> prepare_deflation(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how);

/// The modes for the time of a call.
class LowModes
{
public:
  explicit LowModes(const Deflation &deflation);
  ~LowModes();
  LowModes(const LowModes &) = delete;
  LowModes &operator=(const LowModes &) = delete;

  /// Gives them to the solve, found if they are not there. Returns operations of this rank. Collective.
  double provide(const char *function, const Dirac &dirac, DiracSolve &how);

private:
  const Deflation &deflation_;
  DeflationSpace &space_;
};

} // namespace quda
