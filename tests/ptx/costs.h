#pragma once
/// What kernels would cost on a GPU, estimated from what the emulator counted: instructions by kind, sectors of device
/// memory, passes through the banks of shared memory, lanes that were idle.

namespace ptx
{

/// One line to the standard error: kernels, launches, instructions, seconds.
void print_totals();
/// A table, a kernel a line, the dearest first; counts have to have been on (Checks::counts).
void write_costs(const char *file);

} // namespace ptx
