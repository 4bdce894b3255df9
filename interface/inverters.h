#pragma once

/// Choice of an inverter: names of those built.

#include <string>

namespace quda
{

/// Names of the inverters that are built.
std::string inverters();

} // namespace quda
