#pragma once
/// The library on grids of ranks, and on each rank alone.

#include "session.h"

#include "support/grids.h"

namespace test
{

using reference::Coords;
using support::coordinates;
using support::rank;
using support::ranks;

/// The library on each rank by itself, which holds all of a lattice.
class Alone
{
public:
  Alone()
  {
    MPI_Comm self = MPI_COMM_SELF;
    setMPICommHandleQuda(&self);
    session_.emplace(grid.data());
  }
  ~Alone()
  {
    session_.reset();
    setMPICommHandleQuda(nullptr);
  }
  Alone(const Alone &) = delete;
  Alone &operator=(const Alone &) = delete;
  static constexpr Coords grid {1, 1, 1, 1}, place {0, 0, 0, 0};

private:
  std::optional<Session> session_;
};

/// Of all ranks, z and t cut, or of one alone; and where this rank stands on it.
inline Coords grid_of(bool alone)
{
  if (alone) return Alone::grid;
  return ranks() == 4 ? Coords {1, 1, 2, 2} : Coords {1, 1, 1, ranks()};
}
inline Coords place_in(const Coords &grid) { return grid == Alone::grid ? Alone::place : coordinates(grid, rank()); }

/// Runs body(this rank's part of the lattice) with the library begun on each grid.
template <class Body> void on_grids(const reference::Lattice &global, const Body &body,
                                    const std::vector<Coords> &grids = support::grids_of(ranks()))
{
  for (const Coords &grid : grids) {
    SCOPED_TRACE(support::named(grid));
    const Session session(grid.data());
    body(support::part_on(grid, global));
  }
}

} // namespace test
