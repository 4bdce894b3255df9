#pragma once
/// What kernels would cost on a GPU, estimated from what the emulator counted: instructions by kind, sectors of device
/// memory, passes through the banks of shared memory, lanes that were idle.

#include <set>
#include <string>

namespace ptx
{

/// One line to the standard error: kernels, launches, instructions, seconds.
void print_totals();
/// A table, a kernel a line, the dearest first; counts have to have been on (Checks::counts).
void write_costs(const char *file);
/// One file of this process in a folder: of each of these kernels (symbols) launches, lane instructions, seconds, its
/// symbol and name; none of those that were not launched. kernels.py reads them.
void write_kernels(const char *folder, const std::set<std::string> &symbols);

} // namespace ptx
