#pragma once
/// The Wilson hop on fields: halo exchange, interior, boundary.

#include <span>

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

/// out = b D in, or out = a x + b D in, with D^dag for D when dagger is set; D as in
/// kernels/dirac/wilson.by_precision.launch.cpp.
///   links  : native, no border needed, reconstruct 18 or 12; of the fields' precision: double, single or half
///   in, out: native spinors (4 spins, 3 colors) in the DeGrand-Rossi basis, same inner extent. Full fields: both
///            parities; else `out` lives on its own parity and `in` on the other.
///   b, a   : one for all right-hand sides, or one for each; a is read with x
///   x      : null, or a field like out, which it may be
/// out must not be in. The same bits for any rank grid, lane split, thread count and tuning.
/// Collective over the lattice's communicator: half spinors cross cut faces while the interior is done.
void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                std::span<const double> b, std::span<const double> a, const ColorSpinorField *x);

inline void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                       double b, double a = 0, const ColorSpinorField *x = nullptr)
{
  wilson_hop(out, in, links, dagger, std::span<const double>(&b, 1), std::span<const double>(&a, 1), x);
}

} // namespace quda
