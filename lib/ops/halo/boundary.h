#pragma once
/// Registers of a lattice that need a halo.

#include "fields/lattice.h"

namespace quda
{

/// Registers of each parity, in the target's memory: those whose hops of up to `depth` steps stay within the rank in
/// every lane, and the others.
struct BoundarySites {
  const unsigned *interior; // (parity, interior_count)
  const unsigned *boundary; // (parity, boundary_count)
  unsigned interior_count;
  unsigned boundary_count;
};

/// Made once for a lattice, a register width and a depth; lives as long as the lattice. Not collective.
const BoundarySites &boundary_sites(const Lattice &lattice, int width, int depth = 1);

} // namespace quda
