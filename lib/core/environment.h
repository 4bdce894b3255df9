#pragma once

/// Values from the environment. A variable that is set to nothing counts as unset, except for env_string.
/// A value that makes no sense is an Error (bad argument) that names the variable, the value and what is allowed.
/// Collective: no; ranks may see different environments.

#include <optional>
#include <string>
#include <vector>

namespace quda
{

std::optional<std::string> env_string(const char *name);

/// A decimal integer in [min, max].
std::optional<long> env_int(const char *name, long min, long max);

/// Decimal integers in [min, max], separated by commas.
std::optional<std::vector<long>> env_int_list(const char *name, long min, long max);

/// 1, yes, on, true or 0, no, off, false, in either case; otherwise_value if the variable is unset.
bool env_flag(const char *name, bool otherwise_value);

} // namespace quda
