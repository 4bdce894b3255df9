#pragma once
/// Products of two links in a row.

#include "fields/gauge_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// T_mu(x) = U_mu(x) U_mu(x + mu), native, in the precision of the links, 18 numbers each. Collective over the
/// lattice's communicator.
GaugeField two_link(const LinkSet &links);

} // namespace quda
