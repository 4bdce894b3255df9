#pragma once
/// Exact sums over the slices of a lattice across a direction, which belong to the ranks along it.

#include <span>
#include <vector>

#include "core/exact_limbs.h"
#include "fields/lattice.h"

namespace quda
{

/// totals[r * n + i]: sum i of the ranks with coordinate r along `direction`, rounded once, equal on all ranks. here:
/// n of them, this rank's part; each rank has its own slices, of the same number and order. Collective over the
/// lattice's communicator.
std::vector<double> sum_slices(const Lattice &lattice, int direction, std::span<const ExactLimbs> here);

} // namespace quda
