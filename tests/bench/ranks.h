#pragma once
/// The processes that mpirun started quda_bench as, where --gridsize says that there are several: they measure the same
/// cases together, each on a lattice of its own extents. Kernels that need their neighbours' sites (Entry::cut) run on
/// the lattice that the ranks have together; every rank holds the same data, so results are those of one lattice by
/// itself. The others run on every rank at once and share what the machine has. Times are those of the slowest rank,
/// rates and costs one rank's.

#include <array>
#include <memory>

#include "comms/communicator.h"

namespace quda::bench
{

class Ranks
{
public:
  Ranks() = default;
  /// Starts MPI where the grid has several places. Error (bad_argument) where the processes do not fill it. Ranks but
  /// the first say nothing on stdout.
  void start(const std::array<int, 4> &grid);
  /// Ends the others where this one has failed.
  void fail();
  /// Ends MPI.
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;
};

/// The grid; a single process where there is one.
Communicator &ranks();

/// What kernels with Entry::cut live on: the ranks, or where there is one, 16 that are all this process (loopback.h).
std::shared_ptr<Communicator> cut_communicator();

/// The first rank's number on all ranks: what decides how often something runs. Collective, as the next one.
double of_first(double mine);
double slowest(double seconds);

} // namespace quda::bench
