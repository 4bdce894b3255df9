#pragma once
/// Which registers of a lattice need a halo.

#include "fields/lattice.h"

namespace quda
{

/// Registers of each parity, in the target's memory: those whose hop of length one stays within the rank in every lane,
/// and the others.
struct BoundarySites {
  const unsigned *interior; // (parity, interior_count)
  const unsigned *boundary; // (parity, boundary_count)
  unsigned interior_count;
  unsigned boundary_count;
};

/// Made once for a lattice and a register width; lives as long as the lattice. Not collective.
const BoundarySites &boundary_sites(const Lattice &lattice, int width);

} // namespace quda
