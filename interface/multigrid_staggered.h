#pragma once

/// Multigrid parameters for staggered quarks, whose first transfer leads to hypercubes of 2^4 sites
/// (multigrid/kaehler_dirac.h).
///
/// Level 0    : transfer_type[0] = QUDA_TRANSFER_OPTIMIZED_KD, QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG or
///              QUDA_TRANSFER_COARSE_KD, n_vec[0] = 3 or 24, geo_block_size[0] of ones or twos: all mean the operator
///              on hypercubes, preconditioned by its blocks; the first type includes long links, the others use only
///              fat links. Solver and smoother are read, parameters of vectors are not.
/// Level 1    : geo_block_size[1] counts sites of level 0, even numbers; with QUDA_TRANSFER_COARSE_KD hypercubes.
/// No effect  : spin_block_size of these levels, allow_truncation, staggered_kd_dagger_approximation (the inverse
/// itself is used).
/// Errors     : bad_argument and unsupported, with function, member, level and value.

#include "quda.h"

#include "interface/guard.h"

namespace quda
{

/// The same in terms of aggregates: level 0 with 2^4 sites and 24 vectors, blocks of level 1 in hypercubes.
QudaMultigridParam on_hypercubes(Checks &checks, const QudaMultigridParam &param, const int local[4]);

} // namespace quda
