#pragma once
/// Clover terms on spinors, by themselves and at once with Wilson's hop.

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/hop_end.h"

namespace quda
{

/// out = A in, A a clover term or its inverse, native and on both parities. in, out: native spinors of 4 spins and 3
/// colors, of one shape and of A's precision; out may be in. Collective: while its kernels are tuned.
void apply_clover(ColorSpinorField &out, const ColorSpinorField &in, const CloverField &A);

/// What stands beside a hop.
struct CloverTerm {
  const CloverField &field; // A, or an inverse B
  bool inverse;
  double shift;                        // of A's diagonal; not of an inverse
  const CloverField *before = nullptr; // A before B, where the sum is twisted
};

/// out = a (A + shift) x + b D in + c y, or with an inverse out = a x + b B D in + c y, and sums over it (hop_end.h);
/// D^dag for D when dagger is set. A twist T, of which `one` is not read, makes it out = a (A + shift + T) x + ..., or
/// with an inverse b (A + T) B D in. Terms: native, on both parities, of the fields' precision. All else as
/// wilson_hop() has it (ops/dirac/wilson.h).
void clover_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const CloverTerm &term,
                bool dagger, const HopEnd &end);

inline void clover_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                       const CloverTerm &term, bool dagger, const blas::Coefficients &b,
                       const blas::Coefficients &a = 0.0, const ColorSpinorField *x = nullptr)
{
  clover_hop(out, in, links, term, dagger, {.b = b, .a = a, .x = x});
}

} // namespace quda
