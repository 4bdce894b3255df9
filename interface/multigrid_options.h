#pragma once

/// How a multigrid hierarchy is made: what newMultigridQuda() and updateMultigridQuda() read of QudaMultigridParam.
///
/// Checked    : what is read, of the levels it is read of. Of the last level that is coarse_solver, its tolerance and
///              iterations, mu_factor and verbosity; of the first one everything but these.
/// Unset      : coarse_solver, its tolerance and iterations, cycle_type, generate_all_levels and run_verify, as Chroma
///              leaves them for Wilson fermions: GCR, 0.25, 16, recursive, true, false; setup_inv_type: CGNR, than which no
///              other set-up was found better (docs/multigrid.md).
/// Blocks     : an extent that does not divide the local one is halved until it does, and one that leaves an odd extent
///              where the number of ranks in that direction is odd, too; else two ranks are taken together
///              (multigrid/gathering.h).
/// Changes nothing: location, setup_location, the use of matrix units, smoother_halo_precision, global_reduction,
///              smoother_tol (steps are counted), coarse_grid_solution_type, smoother_solve_type (every level's smoother
///              is even-odd preconditioned, every coarse operator that of all sites), pre_orthonormalize,
///              post_orthonormalize, n_block_ortho, block_ortho_two_pass (vectors are orthonormalised inside of
///              aggregates twice), coarse_guess, allow_truncation, staggered_kd_dagger_approximation. These are
///              not read. n_vec_batch = 1, or unset, stands for all, which give the same bits.
/// Errors     : bad_argument and unsupported, naming function, member, level and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "multigrid/multigrid.h"

#include <string>

namespace quda
{

/// How vectors are made in place of solves, as qudaSetMultigridFilter() left it.
FilterForm &multigrid_filter();

/// Checks the operator of the finest level, QudaMultigridParam.invert_param. The parameter may be null.
QuarkJob multigrid_operator(Checks &checks, const QudaMultigridParam *param);

/// The hierarchy on that operator.
MultigridForm multigrid_form(Checks &checks, const QudaMultigridParam &param, const QuarkJob &fine);

/// Refuses another hierarchy than `made` for an update, which keeps its vectors: says what is not the same.
void check_same_hierarchy(const char *function, const MultigridForm &asked, const MultigridForm &made);

/// What a hierarchy will be and take in memory, lines for people.
std::string hierarchy_text(const MultigridForm &form, const Lattice &lattice);

} // namespace quda
