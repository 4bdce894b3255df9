#pragma once
/// Blocks of a rank's sites.

namespace quda
{

/// How many there are in each direction, X_d / block_d. Errors as of coarse_extents() (lattice.h), to which a number must be
/// even, too.
void count_aggregates(const int X[4], const int block[4], int count[4]);

} // namespace quda
