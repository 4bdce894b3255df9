/// Reductions with an operator over the ranks of a communicator: the same bits on every rank.
#pragma once

namespace quda
{

class Communicator;

/// numbers[n]: each rank's part on entry, the combination on return. fold(numbers, parts) combines parts x n numbers
/// into the first n, by rank; an operator in any order (device/reducers.h) makes the result one for all grids.
/// Collective: all ranks, with one n.
void fold_over_ranks(Communicator &communicator, double *numbers, int n, void (*fold)(double *numbers, int parts));

} // namespace quda
