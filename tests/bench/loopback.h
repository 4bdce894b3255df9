#pragma once
/// A communicator with 2 2 2 2 ranks, all of them this process: each holds the same data, so what leaves for one
/// neighbour is what arrives from the opposite one, and sums are 16 times this rank's. What is periodic in the rank's
/// lattice has the results of that lattice alone, and halos cost what they cost but for the network.

#include <memory>

#include "comms/communicator.h"

namespace quda::bench
{

std::shared_ptr<Communicator> make_loopback_communicator();

} // namespace quda::bench
