#pragma once
/// Exchange of byte blocks between all ranks of a line of the grid, for data to be laid out anew along one direction.

#include <cstddef>

#include "comms/communicator.h"

namespace quda
{

/// Exchange between ranks that differ only in coordinate d: rank c hands its block k of `send`, `bytes` long, to rank
/// k, where it becomes block c of `receive`. Blocks travel around the ring in +d, as far as needed: a rank sends half
/// of (n - 1) n blocks for n ranks. send, receive: the host's, extent(d) blocks each, not overlapping. Collective over
/// the line; all ranks of the communicator may call it together. Nothing is under way when it returns.
void exchange_line(Communicator &communicator, int d, const void *send, void *receive, std::size_t bytes);

} // namespace quda
