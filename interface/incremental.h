#pragma once

/// Solves that leave low modes for later ones: inv_type QUDA_INC_EIGCG_INVERTER; QUDA_EIGCG_INVERTER, which keeps only
/// those of its last right-hand side; and QUDA_GMRESDR_PROJ_INVERTER, also for matrices that are not Hermitian
/// (solvers/incremental.h).
///
/// Read       : deflation_op, the handle; n_ev, as in the handle, and max_search_dim, the window or the directions of a
///              cycle; for eigCG tol_restart, the fall of the residual after which low modes are removed again,
///              inc_tol, the further falls, and max_restart_num, how often; eigenval_tol, |H v - lambda v| of the modes
///              that a full space keeps (H: A; for GMRES-Proj A^dag A). Written: rhs_idx, incremented by each
///              right-hand side. Several right-hand sides of a call are solved one by one until the space is full, and
///              then at once.
/// Space      : belongs to the system on the links of its modes; for others it is filled anew, with a message.
/// Errors     : bad_argument and unsupported, with function, member and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "solvers/incremental.h"

#include <optional>
#include <string>

namespace quda
{

/// A checked request to gather modes.
struct Gathering {
  IncrementalSpace *space;
  IncrementalOptions options;
  std::string of; // name of the operator
};

/// None if inv_type is another one. how: the solve.
std::optional<Gathering> prepare_gathering(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how);

} // namespace quda
