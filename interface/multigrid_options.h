#pragma once

/// Options of a multigrid hierarchy: members of QudaMultigridParam for newMultigridQuda() and updateMultigridQuda().
///
/// Checked    : the members that are read, on the levels that read them. The last level reads coarse_solver, its
///              tolerance and iterations, mu_factor and verbosity; the first one everything but these.
/// Unset      : coarse_solver, its tolerance and iterations, cycle_type, generate_all_levels and run_verify, as Chroma
///              leaves them for Wilson fermions: GCR, 0.25, 16, recursive, true, false; setup_inv_type: CGNR, the best
///              set-up found (docs/multigrid.md).
/// Blocks     : an extent that does not divide the local one is halved until it does; so is one that leaves an odd
///              extent if the number of ranks in that direction is odd, too; else two ranks are taken together
///              (multigrid/gathering.h).
/// Changes nothing: location, setup_location, the use of matrix units, smoother_halo_precision, global_reduction,
///                  smoother_tol (steps are counted), coarse_grid_solution_type, smoother_solve_type (every smoother is
///                  even-odd preconditioned, every coarse operator acts on all sites), pre_orthonormalize,
///                  post_orthonormalize, n_block_ortho, block_ortho_two_pass (vectors are always orthonormalised twice
///                  inside aggregates), coarse_guess, allow_truncation, staggered_kd_dagger_approximation. These are
///                  not read. n_vec_batch = 1, or unset, stands for all, which gives the same bits.
/// Errors     : bad_argument and unsupported, with function, member, level and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "multigrid/multigrid.h"

#include <string>

namespace quda
{

/// Checks the operator of the finest level, QudaMultigridParam.invert_param. param may be null.
QuarkJob multigrid_operator(Checks &checks, const QudaMultigridParam *param);

/// The hierarchy's form for that operator.
MultigridForm multigrid_form(Checks &checks, const QudaMultigridParam &param, const QuarkJob &fine);

/// Refuses an update with another form than `made`, whose vectors it keeps; names the difference.
void check_same_hierarchy(const char *function, const MultigridForm &asked, const MultigridForm &made);

/// Description of a hierarchy and its memory, in lines for users.
std::string hierarchy_text(const MultigridForm &form, const Lattice &lattice);

} // namespace quda
