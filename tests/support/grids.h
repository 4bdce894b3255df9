#pragma once
/// Process grids that tests on several ranks go through.

#include <memory>
#include <vector>

#include "comms/communicator.h"

namespace support
{

using Grid = std::vector<int>;

/// 1 rank: the trivial grid; 2: each direction; 4: two directions at a time and one alone.
inline std::vector<Grid> grids_of(int ranks)
{
  if (ranks == 1) return {{1, 1, 1, 1}};
  if (ranks == 2) return {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}};
  if (ranks == 4) return {{2, 2, 1, 1}, {1, 1, 2, 2}, {2, 1, 1, 2}, {1, 1, 1, 4}};
  return {};
}

/// Runs body(communicator, grid) for each grid of this number of ranks.
template <class Body> void on_grids(int ranks, const Body &body)
{
  for (const Grid &grid : grids_of(ranks)) body(quda::make_communicator(grid.data()), grid);
}

} // namespace support
