#pragma once
/// Domains of a lattice, boxes of sites: the sites of a rank, or blocks of one extent, counted from the
/// origin of the whole lattice, so that they are the same on any grid of ranks that does not cut through them. Where
/// there is one domain in a direction it is periodic, like the lattice. Nothing here communicates.

#include "fields/lattice.h"

namespace quda
{

struct Domains {
  int block[4] = {0, 0, 0, 0}; // extents; all 0: the sites of a rank

  bool operator==(const Domains &) const = default;
  bool of_ranks() const { return block[0] == 0; }
  int extent(const Lattice &lattice, int d) const { return of_ranks() ? lattice.X(d) : block[d]; }
  bool several(const Lattice &lattice, int d) const { return extent(lattice, d) < lattice.global_X()[d]; }

  /// Errors: bad_argument, naming `function`, if a rank does not hold whole domains.
  void check(const char *function, const Lattice &lattice) const;

  /// The rank's sites as a lattice without neighbouring ranks. Sums are over the rank if domains are ranks, over all
  /// ranks if they are blocks, so that results do not depend on the grid of ranks. Kept with the lattice.
  std::shared_ptr<const Lattice> closed(const std::shared_ptr<const Lattice> &lattice) const;
};

} // namespace quda
