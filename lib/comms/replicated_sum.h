/// Exact sums over the ranks of a communicator: the same bits on every rank, whatever the grid.
///
/// sums : (n), each rank's part on entry, the total on return, normalised. Collective: all ranks, with one n.
/// Up to 2^20 ranks (core/exact_limbs.h).
#pragma once

#include "core/exact_limbs.h"

namespace quda
{

class Communicator;

void sum_limbs(Communicator &communicator, ExactLimbs *sums, int n);

} // namespace quda
