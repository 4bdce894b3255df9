#pragma once
/// Halo of a hop: records for its legs from beyond a cut face. From behind the products, computed where the link lies,
/// so that links need no border; from ahead the factor of the link
/// (kernels/dirac/wilson_halo.by_precision.launch.cpp, covariant_halo.by_precision.launch.cpp).

#include "core/kernel_table.h"
#include "kernels/dirac/hop_halo_call.h"
#include "ops/dirac/hop_kind.h"
#include "ops/halo/exchange.h"
#include "targets/table.h"

namespace quda
{

/// The halo of a hop, receives under way: records from beyond, in its precision, fixed point in single.
/// Member 0 is for the hop's own legs; member 1, if there are long legs, for those, and its first layer also serves the
/// own legs from above.
HaloExchange hop_halo(const HopKind &kind, const HopFields &fields);

/// Packs all members.
void pack_hop_halo(HaloExchange &halo, const HopKind &kind, const HopFields &fields);

} // namespace quda
