#pragma once
/// Registers that ptxas gave to kernels for sm_90, from its reports, and what they leave room for on a multiprocessor.

#include <string>

namespace ptx
{

/// Of a thread of the kernel with this symbol; 0: not known.
int registers_of(const std::string &kernel);
/// For tests: as if a report said so.
void set_registers(const std::string &kernel, int registers);

/// Warps that a multiprocessor holds at once, where each thread has so many registers: in each of its four parts 16384,
/// of which a warp takes whole pieces of 256.
int warps_with(int registers);
/// Threads of the largest block of the kernel.
int most_threads(const std::string &kernel);

} // namespace ptx
