#pragma once

/// Choice of an inverter: names of those built, and the domains of Schwarz preconditioners.

#include "fields/domains.h"

#include <string>

namespace quda
{

/// Names of the inverters that are built.
std::string inverters();

/// Domains of Schwarz methods, as set by qudaSetSchwarzBlock().
const Domains &schwarz_blocks();

} // namespace quda
