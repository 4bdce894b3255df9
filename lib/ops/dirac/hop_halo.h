#pragma once
/// Halo of a hop: what its legs read from beyond a cut face. From behind the products, made where the link lies, so
/// that links need no border; from ahead what the link will multiply
/// (kernels/dirac/wilson_halo.by_precision.launch.cpp, covariant_halo.by_precision.launch.cpp).

#include "core/kernel_table.h"
#include "kernels/dirac/hop_halo_call.h"
#include "ops/dirac/hop_kind.h"
#include "ops/halo/exchange.h"
#include "targets/table.h"

namespace quda
{

/// The halo of a hop, receives under way: what it reads from beyond, in its precision, fixed point in single.
/// Member 0 is what the hop's own legs read; member 1, where there are long legs, theirs, in whose first layer own legs
/// find what comes from above.
HaloExchange hop_halo(const HopKind &kind, const HopFields &fields);

/// Packs all members.
void pack_hop_halo(HaloExchange &halo, const HopKind &kind, const HopFields &fields);

} // namespace quda
