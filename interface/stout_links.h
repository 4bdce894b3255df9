#pragma once

/// Smeared links in the place of the gauge field, with the levels that they were made through (stout_links.cpp).
/// Collective: no.

namespace quda
{

/// Frees the levels, and the thin links if they are away.
void free_stout_links();

} // namespace quda
