#pragma once
/// Exact sums of the slices of a lattice across a direction, which belong to the ranks along it.

#include <span>
#include <vector>

#include "core/exact_limbs.h"
#include "fields/lattice.h"

namespace quda
{

/// totals[r * n + i]: of sum i of the ranks with coordinate r along `direction`, rounded once, on all ranks alike. here:
/// n of them, this rank's part; each rank has its own slices, as many and in the same order. Collective over the
/// lattice's communicator.
std::vector<double> sum_slices(const Lattice &lattice, int direction, std::span<const ExactLimbs> here);

} // namespace quda
