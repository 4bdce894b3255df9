#pragma once

/// MILC's multigrid hierarchies that the library holds.

namespace quda
{

/// Frees the library's records of them; free_multigrids() frees the hierarchies.
void forget_milc_multigrids();

} // namespace quda
