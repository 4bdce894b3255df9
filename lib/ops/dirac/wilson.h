#pragma once
/// The Wilson hop on fields: halo exchange, interior, boundary.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/hop_kind.h"

namespace quda
{

inline constexpr HopKind wilson_kind = {"wilson_hop", "Wilson", 1320, 48, 0};

/// out = a x + b D in + c y, with D^dag for D when dagger is set, and sums over it (epilogue.h); D as in
/// kernels/dirac/wilson.by_precision.launch.cpp.
///   links  : native, no border needed, reconstruct 18 or 12; of the fields' precision: double, single or half
///   in, out: native spinors (4 spins, 3 colors) in the DeGrand-Rossi basis, same inner extent. Full fields: both
///            parities; else `out` lives on its own parity and `in` on the other.
///   x, y   : like out, and may be out
/// out must not be in. The same bits for any rank grid, lane split, thread count and tuning.
/// Collective over the lattice's communicator: half spinors cross cut faces while the interior is done.
void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                const Epilogue &end = {}, Sums *sums = nullptr);

/// The same with a twisted-mass term T: out = a x + b T D in + c y, or T on a x or c y. x or y whose flavours T mixes
/// must not be out.
void twisted_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const HopTwist &twist,
                 bool dagger, const Epilogue &end = {}, Sums *sums = nullptr);

/// wilson_hop() in a checkerboard of five dimensions, where the fields of one parity p have layer s on sites of parity
/// (p + s) mod 2: an even number of layers.
void checkerboard_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                      const Epilogue &end = {}, Sums *sums = nullptr);

} // namespace quda
