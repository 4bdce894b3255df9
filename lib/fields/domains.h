#pragma once
/// Domains that a lattice is cut into, boxes of sites: what a rank holds, or blocks of one extent, counted from the
/// origin of the whole lattice, so that they are the same on any grid of ranks that does not cut through them. Where
/// there is one domain in a direction it is periodic, like the lattice. Nothing here communicates.

#include "fields/lattice.h"

namespace quda
{

struct Domains {
  int block[4] = {0, 0, 0, 0}; // extents; all 0: what a rank holds

  bool operator==(const Domains &) const = default;
  bool of_ranks() const { return block[0] == 0; }
  int extent(const Lattice &lattice, int d) const { return of_ranks() ? lattice.X(d) : block[d]; }
  bool several(const Lattice &lattice, int d) const { return extent(lattice, d) < lattice.global_X()[d]; }

  /// Errors: bad_argument, naming `function`, where a rank does not hold whole domains.
  void check(const char *function, const Lattice &lattice) const;

  /// The rank's sites where nothing leads to other ranks. Sums are those of a domain's rank alone, of blocks those of
  /// all ranks, so that results do not depend on their grid. Kept with the lattice.
  std::shared_ptr<const Lattice> closed(const std::shared_ptr<const Lattice> &lattice) const;
};

} // namespace quda
