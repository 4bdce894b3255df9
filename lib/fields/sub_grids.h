#pragma once
/// A grid of ranks cut into sub-grids, each of which holds the whole lattice for work of its own.
///
/// Cut     : parts[d] sub-grids in direction d, boxes of neighbouring ranks; number j = ((c3 parts2 + c2) parts1 + c1)
///           parts0 + c0 is the one at c.
/// Lattice : of a sub-grid, on its own communicator, the extents of a rank those of before times parts[d].
/// Fields  : ops/copy/redistribute.h lays them out anew.

#include <array>
#include <memory>

#include "comms/box_exchange.h"
#include "fields/lattice.h"

namespace quda
{

class SubGrids
{
public:
  /// parts[d] must divide the ranks along d. Collective over the communicator of `all`. Errors: FoundTogether.
  SubGrids(std::shared_ptr<const Lattice> all, const std::array<int, 4> &parts);

  const std::array<int, 4> &parts() const { return parts_; }
  int count() const { return parts_[0] * parts_[1] * parts_[2] * parts_[3]; }
  /// Number of a rank's sub-grid, and of this rank's.
  int number_of(int rank) const;
  int number() const { return number_of(all_->communicator().rank()); }

  const std::shared_ptr<const Lattice> &all() const { return all_; }
  /// Lattice of this rank's sub-grid.
  const std::shared_ptr<const Lattice> &lattice() const { return lattice_; }
  /// From sites as the ranks of all hold them to those of each rank in its sub-grid.
  const BoxExchange &exchange() const { return exchange_; }

private:
  std::shared_ptr<const Lattice> all_;
  std::array<int, 4> parts_;
  BoxExchange exchange_;
  std::shared_ptr<const Lattice> lattice_;
};

} // namespace quda
