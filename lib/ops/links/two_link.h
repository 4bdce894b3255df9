#pragma once
/// Products of links along a line.

#include "fields/gauge_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// Parameters of products of links: general matrices, 18 numbers each, without border; else as the links.
GaugeFieldParam matrices_of(const GaugeFieldParam &links);

/// weight U_mu(x) U_mu(x + mu) ... U_mu(x + (length - 1) mu), native, in the precision of the links, 18 numbers each;
/// length 2 or more, and no more than the lattice of a rank in a direction that is cut between ranks, plus 1.
/// Collective over the lattice's communicator.
GaugeField links_in_a_row(const LinkSet &links, int length, double weight);

/// T_mu(x) = U_mu(x) U_mu(x + mu)
inline GaugeField two_link(const LinkSet &links) { return links_in_a_row(links, 2, 1); }

} // namespace quda
