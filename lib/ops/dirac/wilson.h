#pragma once
/// The Wilson hop on fields: halo exchange, interior, boundary.

#include <vector>

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

/// out = b D in, or out = a x + b D in, with D^dag for D when dagger is set; D as in kernels/dirac/wilson.h.
///   links  : native, no border needed, any reconstruct; of the fields' precision
///   in, out: native spinors (4 spins, 3 colors) in the DeGrand-Rossi basis, same inner extent. Full fields: both
///            parities; else `out` lives on its own parity and `in` on the other.
///   x      : null, or a field like out, which it may be
/// out must not be in. The same bits for any rank grid, lane split, thread count and tuning.
/// Collective over the lattice's communicator: half spinors cross cut faces while the interior is done.
void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger, double b,
                double a = 0, const ColorSpinorField *x = nullptr);

} // namespace quda
