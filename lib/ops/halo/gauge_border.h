#pragma once
/// Borders of extended gauge fields.

#include <span>

#include "fields/gauge_field.h"

namespace quda
{

/// Fills the border of an extended field from the rank's own links and its neighbours', corners included: afterwards
/// every stored site holds the link of the global lattice there. Only directions that are cut have a border.
/// Collective over the field's communicator. Neither the links within the rank nor the tag change.
void exchange_border(GaugeField &links);

/// The same for the links of one parity and direction, if no others were written.
void exchange_border(GaugeField &links, int parity, int mu);

/// The same for the links of some directions, in ascending order: a message for each run of them.
void exchange_directions(GaugeField &links, std::span<const int> directions);

/// A copy of native links with a border of depth `depth` (even) in cut directions, filled. Collective.
GaugeField extended(const GaugeField &links, int depth);

} // namespace quda
