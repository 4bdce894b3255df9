#pragma once

/// Smeared links in place of the gauge field, and the levels of the smearing (stout_links.cpp).
/// Collective: no.

namespace quda
{

/// Frees the levels, and the thin links if they are set aside.
void free_stout_links();
/// The same, and all links that are resident.
void free_gauge();

} // namespace quda
