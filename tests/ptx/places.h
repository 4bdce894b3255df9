#pragma once
/// Places of virtual registers in a warp's register file: two share one where they never live at the same time (data
/// flow over blocks, then a linear scan). Without that a large kernel would need megabytes a warp.

#include <cstdint>
#include <vector>

namespace ptx
{

struct Register {
  int width;  // bytes a lane
  bool fixed; // its place is given
  std::uint32_t place;
};

/// One instruction as the data flow sees it.
struct Flow {
  std::vector<int> reads, writes; // registers
  bool begins = false;            // others jump here
  int target = -1;                // instruction that it may jump to
  bool stops = false;             // what follows is reached by jumps alone
};

/// Gives places from `first` on; returns where they end.
std::uint32_t give_places(std::vector<Register> &, const std::vector<Flow> &, std::uint32_t first);

} // namespace ptx
