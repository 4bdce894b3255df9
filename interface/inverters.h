#pragma once

/// What calls that choose among inverters share.

#include "fields/domains.h"

#include <string>

namespace quda
{

/// The inverters that are built, by name.
std::string inverters();

/// Domains of Schwarz methods, as qudaSetSchwarzBlock() left them.
const Domains &schwarz_blocks();

} // namespace quda
