#pragma once

/// What QudaMultigridParam says of staggered quarks, whose first transfer is one to hypercubes of 2^4 sites
/// (multigrid/kaehler_dirac.h).
///
/// Level 0    : transfer_type[0] = QUDA_TRANSFER_OPTIMIZED_KD, QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG or
///              QUDA_TRANSFER_COARSE_KD, n_vec[0] = 3 or 24, geo_block_size[0] of ones or twos: one thing here, the operator
///              on hypercubes, preconditioned by its blocks, but that the first of them takes long links along and the others
///              the fat ones alone. Solver and smoother are read, what makes vectors is not.
/// Level 1    : geo_block_size[1] counts sites of level 0, even numbers, but with QUDA_TRANSFER_COARSE_KD hypercubes.
/// Means nothing : spin_block_size of the two, allow_truncation, staggered_kd_dagger_approximation (the inverse itself is
///              there).
/// Errors     : bad_argument and unsupported, naming function, member, level and value.

#include "quda.h"

#include "interface/guard.h"

namespace quda
{

/// The same as it is said of aggregates: level 0 of 2^4 sites and 24 vectors, blocks of level 1 in hypercubes.
QudaMultigridParam on_hypercubes(Checks &checks, const QudaMultigridParam &param, const int local[4]);

} // namespace quda
