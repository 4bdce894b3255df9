#pragma once
/// What the checks have found: a line to the standard error when it is first seen, three a kernel,
/// counted after that.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptx
{

enum class Fault {
  out_of_bounds,       // beyond every allocation, released, or the host's
  misaligned,          // address no multiple of what is accessed
  shared_bounds,       // beyond the shared memory of the launch
  local_bounds,        // beyond the thread's own memory, or parameters
  other_device,        // memory of a device that was not made a peer
  read_only,           // a write to constants or parameters
  unwritten,           // read before anything was written there
  shared_race,         // two threads of a block, one word, no barrier between, one writes
  device_race,         // the same in device memory, or two blocks
  barrier,             // threads of a block at different barriers
  missing_lanes,       // a shuffle or vote whose lanes do not all come
  unknown_instruction, // not emulated
  copy,                // a copy or clearing beyond an allocation, or in the wrong direction
  host_early,          // the host uses memory before it waited for the stream that still works on it
  host_access          // the host follows a device's address
};

const char *name_of(Fault);
/// Whether a GPU would stop the launch there, or nobody knows how to go on.
bool ends_launch(Fault);

struct Finding {
  Fault fault;
  std::string where; // kernel, line of PTX, source, instruction; or call of the run time
  std::string first; // address, block, thread of the first
  long count;
};

/// A launch that ended with a fault that has been reported.
struct LaunchFault : std::runtime_error {
  Fault fault;
  explicit LaunchFault(Fault f)
      : std::runtime_error(name_of(f))
      , fault(f)
  {
  }
};

/// Counts it; prints the first of its kind at its place, where findings are printed.
void report(Fault, const std::string &where, const std::string &first);
std::vector<Finding> findings();
void forget_findings();
/// Whether findings are printed as they come (they are, unless a test asks otherwise).
void print_findings(bool);

} // namespace ptx
