#pragma once
/// Aggregates: blocks of a rank's sites.

namespace quda
{

/// Extents X_d / block_d of the coarse grid whose sites are blocks of at least two sites. Error (bad_argument) that
/// names block[d] and its value unless all extents are whole and even, as in every lattice.
void coarse_extents(const int X[4], const int block[4], int coarse[4]);

/// Number of aggregates in each direction, X_d / block_d. Errors as in coarse_extents(); numbers may be odd here.
void count_aggregates(const int X[4], const int block[4], int count[4]);

} // namespace quda
