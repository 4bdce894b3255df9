#pragma once

/// Several sources shared out to sub-grids of ranks, QudaInvertParam.split_grid (fields/sub_grids.h).
///
/// Shares     : sub-grid j of K has the sources n K + j; results come back to the ranks that the host's arrays are on.
/// Results    : to the bit those of a call without a split, residuals too, where each source is solved by itself: block
///              CG, and Chebyshev polynomials whose window is estimated, look at all sources that a sub-grid has.
/// Iterations : the most that a sub-grid took.
/// Kept       : links and clover terms of the sub-grids with the resident ones, LinkSet::on() and CloverSet::on(); the
///              communicators until endQuda(), Session::sub_grids().
/// Errors     : bad_argument and unsupported, naming function, member and value.

#include "quda.h"

#include "interface/quark_job.h"
#include "solvers/report.h"

namespace quda
{

/// Checks num_src and split_grid, and tells the job how the grid is cut.
void check_sources(Checks &checks, QuarkJob &job, const QudaInvertParam &param);

/// Refuses a member's value, if the grid is cut.
void refuse_with_split(const char *function, const QuarkJob &job, const QudaInvertParam &param, bool refused,
                       const char *member, const std::string &value, const char *allowed);
/// Refuses a solve that needs more than its sources and links, likewise.
void check_split_solve(const char *function, const QuarkJob &job, const QudaInvertParam &param);

/// Number of the source that is a right-hand side here, within on_sub_grids() (interface/application.h).
int source_of(const QuarkJob &job, int rhs);

/// The largest number of all sub-grids. Collective.
int most_on_sub_grids(const QuarkJob &job, int number);
/// Sub-grids' reports as one of all sources. Collective.
SolveReport of_all_sources(const QuarkJob &job, const SolveReport &mine);

} // namespace quda
