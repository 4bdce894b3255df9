#pragma once

/// Hierarchies of MILC's that are held.

namespace quda
{

/// Frees what is said of them; their hierarchies are free_multigrids()'s.
void forget_milc_multigrids();

} // namespace quda
