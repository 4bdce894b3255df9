#pragma once
/// Sums over neighbours, parallel transported by the links: covariant shifts, and the sum in Laplace's operator.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"

namespace quda
{

/// Legs of a sum: U_d(x) psi(x + l d), U_d(x - l d)^dag psi(x - l d), and the legs of all directions except one (none:
/// omitted < 0 or > 3).
constexpr int leg_ahead(int d) { return 2 << (2 * d); }
constexpr int leg_behind(int d) { return 1 << (2 * d); }
constexpr int legs_without(int omitted) { return omitted < 0 || omitted > 3 ? 0xff : 0xff & ~(3 << (2 * omitted)); }

/// out = a x + b S in + c y, and sums over it (epilogue.h), S as in
/// kernels/dirac/covariant_sum.by_precision.launch.cpp.
///   links  : native, no border needed, reconstruct 18 or 12; of the fields' precision: double, single or half
///   in, out: native spinors of 1 or 4 spins and 3 colors, same inner extent. length 1: both full, or `out` on its own
///            parity and `in` on the other. length 2: colour vectors (1 spin) in double or single, in and out on one
///            parity or both full; links[mu](x), all of it stored, transports from x + 2 mu to x.
///   x, y   : like out
/// out must not be in. The same bits for any rank grid, lane split, thread count and tuning.
/// Collective over the lattice's communicator. Errors: unsupported if the local extent of a cut direction is less
/// than `length`.
void covariant_sum(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, int legs,
                   const Epilogue &end = {}, int length = 1, Sums *sums = nullptr);

} // namespace quda
