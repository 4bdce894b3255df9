#pragma once
/// Aggregates: blocks of a rank's sites.

namespace quda
{

/// Number of aggregates in each direction, X_d / block_d. Errors as in coarse_extents() (lattice.h); numbers may be odd
/// here.
void count_aggregates(const int X[4], const int block[4], int count[4]);

} // namespace quda
