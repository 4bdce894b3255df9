#pragma once
/// Errors of launch units about impossible launches: plain functions, compiled without instruction-set flags.

namespace quda
{

/// Throws Error(bad_argument): the kernel's `what` is `value`, outside lowest..highest. `kernel` is the launcher's
/// __PRETTY_FUNCTION__, from which the kernel's name is taken.
[[noreturn]] void launch_error(const char *kernel, const char *what, long long value, long long lowest,
                               long long highest);

/// Throws Error(device): the device refused the kernel, or failed in it, for this reason.
[[noreturn]] void launch_failed(const char *kernel, const char *reason);

} // namespace quda
