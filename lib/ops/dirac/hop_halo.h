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

/// What a hop reads of `in` from beyond: in its precision, fixed point in single.
HaloShape hop_halo_shape(const HopKind &kind, const ColorSpinorField &in);

/// Packs member 0 of a halo of that shape.
void pack_hop_halo(HaloExchange &halo, const HopKind &kind, const ColorSpinorField &in, const GaugeField &links,
                   bool dagger);

} // namespace quda
