#pragma once
/// Staggered hops on fields, one-link and improved: halo exchange, interior, boundary.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"

namespace quda
{

/// Flops of a hop at a site.
constexpr int staggered_flops = 570, improved_staggered_flops = 1146;

/// out = a x + b D in + c y, with D^dag = -D for D when dagger is set, and sums over it (epilogue.h); D as in
/// kernels/dirac/staggered.by_precision.launch.cpp, one-link if long_links is null.
///   links     : native, no border needed, reconstruct 18 or, without long links, 12; of the fields' precision:
///               double, single or half
///   long_links: like them, reconstruct 18, 13 or 9
///   in, out   : native colour vectors (1 spin), same inner extent. Full fields: both parities; else `out` lives on its
///               own parity and `in` on the other.
///   x, y      : like out
/// out must not be in. The same bits for any rank grid, lane split, thread count and tuning.
/// Collective over the lattice's communicator. Errors: unsupported if the local extent of a cut direction is less
/// than 3 and there are long links.
void staggered_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                   const GaugeField *long_links, bool dagger, const Epilogue &end = {}, Sums *sums = nullptr);

} // namespace quda
