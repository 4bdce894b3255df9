/// Base of the communicators: checks and makers that all kinds share; for lib/comms only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "comms/communicator.h"

namespace quda::comms
{

/// Checks that the extents are positive and their product is the number of ranks.
void check_grid(const int extent[4], int ranks);

/// Ranks of all grid points, last dimension fastest, from the map (empty: t fastest); checks that each rank occurs
/// once. The grid must have passed check_grid.
std::vector<int> rank_table(const int extent[4], const RankMap &map);

/// "2 2 1 1"
std::string grid_text(const int extent[4]);

std::string this_host();

std::size_t message_piece_bytes();

#ifdef QUDA_HAVE_MPI
// mpi_communicator.cpp
std::shared_ptr<Communicator> make_mpi_communicator(const int extent[4], const RankMap &map);
void set_mpi_communicator_handle(const void *pointer_to_mpi_comm);
bool mpi_running();
int mpi_rank(); // in what the host gave, else MPI_COMM_WORLD
#endif

} // namespace quda::comms
