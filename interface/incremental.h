#pragma once

/// Solves that leave low modes for those that follow: inv_type QUDA_INC_EIGCG_INVERTER, QUDA_EIGCG_INVERTER, which keeps
/// those of its last right-hand side alone, and QUDA_GMRESDR_PROJ_INVERTER, of matrices that are not Hermitian, too
/// (solvers/incremental.h).
///
/// Read       : deflation_op, the handle; n_ev, as the handle has it, and max_search_dim, the window or the directions of
///              a cycle; of eigCG tol_restart, the fall of the residual after which low modes are taken from it again,
///              inc_tol, the further falls, and max_restart_num, how often; eigenval_tol, |H v - lambda v| of the modes
///              that a full space keeps (H: A, of GMRES-Proj A^dag A). Written: rhs_idx, counted up by each right-hand
///              side. Several right-hand sides of a call follow each other until the space is full, and are then solved
///              at once.
/// Space      : of the system on the links that it was gathered with; of others it is gathered anew, with a message.
/// Errors     : bad_argument and unsupported, naming function, member and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "solvers/incremental.h"

#include <optional>
#include <string>

namespace quda
{

/// A checked one.
struct Gathering {
  IncrementalSpace *space;
  IncrementalOptions options;
  std::string of; // name of the operator
};

/// None where inv_type is another. how: the solve.
std::optional<Gathering> prepare_gathering(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how);

} // namespace quda
