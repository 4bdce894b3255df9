#pragma once
/// Neighbours that a hop over all registers of a lattice has not read recently, so that it prefetches only
/// these.

#include "fields/lattice.h"

namespace quda
{

/// A byte for each register of each parity, (2, registers), in the target's memory: bit 2 d + up is set if the
/// neighbour a step down or up along d was not read in the last `visits` registers or more, in the order of the
/// registers; rounded down to a power of two. Null on scalar targets. Made once for a lattice, a register width and
/// visits; lives as long as the lattice. Not collective.
const unsigned char *far_neighbours(const Lattice &lattice, int width, long long visits);

} // namespace quda
