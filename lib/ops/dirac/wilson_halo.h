#pragma once
/// Halo of the Wilson hop: projected half spinors, multiplied with the link where the product crosses
/// (kernels/dirac/wilson_halo.launch.cpp).

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/halo/exchange.h"

namespace quda
{

/// What a hop reads of `in` from beyond: in its precision, fixed point in single.
HaloShape wilson_halo_shape(const ColorSpinorField &in);

/// Packs member 0 of a halo of that shape. in and links as wilson_hop() takes them; native, of one precision.
void pack_wilson_halo(HaloExchange &halo, const ColorSpinorField &in, const GaugeField &links, bool dagger);

} // namespace quda
