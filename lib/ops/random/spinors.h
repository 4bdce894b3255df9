#pragma once
/// Random quark fields. The numbers depend only on seed, stream and global site (device/random.h): the same field on
/// any rank grid, target and number of threads; in single precision the double field's numbers, rounded.

#include "fields/color_spinor_field.h"

namespace quda
{

/// Complex numbers with normally distributed parts of variance 1/2 in all of a native field of double or single
/// precision, of 4 spins or 1; inner entry j has the stream first + j. Collective: while it is tuned.
void gaussian_spinors(ColorSpinorField &out, unsigned long long seed, unsigned first = 0);

} // namespace quda
