#pragma once
/// Grids of blocks, carried out one after another.

#include <cstdint>
#include <vector>

#include "ptx/program.h"

namespace ptx
{

struct Launch {
  Program *program;
  unsigned grid[3], block[3];
  int shared_bytes; // beyond those the kernel has of itself
  std::vector<char> parameters;
  int device = 0;
  std::uint64_t peers = 0; // devices whose memory it may use, a bit each
};

struct Checks {
  bool memory = true;  // unwritten memory, races in shared memory
  bool races = false;  // in device memory: up to four times the time, eight bytes a byte
  bool counts = false; // of instructions, sectors, passes
};
Checks &checks();

/// Throws LaunchFault.
void run(const Launch &);

/// All kernels that have run, the dearest first.
std::vector<const Program *> programs_run();

} // namespace ptx
