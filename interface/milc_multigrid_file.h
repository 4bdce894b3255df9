#pragma once

/// MILC's files of multigrid parameters: lines KEYWORD VALUE, KEYWORD LEVEL VALUE and KEYWORD LEVEL X Y Z T; comments
/// begin with #. Absent keywords have the hosts' defaults: four levels, hypercubes, 64 vectors, 96 vectors.
///
/// Keywords   : mg_levels, verify_results, preconditioner_precision, optimized_kd (true, false, drop); of a level nvec,
///              geo_block_size, setup_inv, setup_tol, setup_maxiter, setup_ca_basis_size, mg_vec_infile, mg_vec_outfile,
///              mg_vec_partfile, coarse_solver, coarse_solver_tol, coarse_solver_maxiter, coarse_solver_ca_basis_size,
///              coarse_solve_type, smoother_type, nu_pre, nu_post, mg_verbosity; of low modes of the last level, whose number is its
///              nvec, deflate_n_ev, deflate_n_kr, deflate_max_restarts, deflate_tol, deflate_use_poly_acc, deflate_a_min,
///              deflate_poly_deg, deflate_vec_partfile, deflate_block_size. Read and of no effect: use_mma, allow_truncation,
///              dagger_approximation, block_solver_batch_size. Others: a warning.
/// Errors     : of kind file, with function, file, line, keyword and value.

#include "quda.h"

#include <string>

namespace quda
{

/// Parameters of a MILC hierarchy. invert_param and eig_param of `hierarchy` are set once it is in its final place.
struct MilcMultigridParams {
  QudaMultigridParam hierarchy;
  QudaPrecision precision; // of smoothers and vectors
  QudaEigParam modes;      // of the last level, if hierarchy.use_eig_solver says so
};

/// file: its name in messages.
MilcMultigridParams milc_multigrid_params(const char *function, const std::string &file, const std::string &contents);

} // namespace quda
