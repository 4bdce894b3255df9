#pragma once
/// Clover terms on spinors.

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"

namespace quda
{

/// out = A in, A a clover term or its inverse, native and on both parities. in, out: native spinors of 4 spins and 3
/// colors, of one shape and of A's precision; out may be in. Collective: while its kernels are tuned.
void apply_clover(ColorSpinorField &out, const ColorSpinorField &in, const CloverField &A);

/// Throws in the name of `function` unless the term is one for such spinors.
void check_clover(const char *function, const CloverField &term, const ColorSpinorField &spinors);

} // namespace quda
