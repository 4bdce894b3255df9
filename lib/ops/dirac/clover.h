#pragma once
/// Clover terms on spinors, separately and fused with Wilson's hop.

#include <optional>

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"
#include "ops/dirac/twist.h"

namespace quda
{

/// out = A in, A a clover term or its inverse, native and on both parities. in, out: native spinors of 4 spins and 3
/// colors, of one shape and of A's precision; out may be in. Collective: while its kernels are tuned.
void apply_clover(ColorSpinorField &out, const ColorSpinorField &in, const CloverField &A);

/// Clover term fused with a hop.
struct CloverTerm {
  const CloverField &field; // A, or an inverse B
  bool inverse;
  double shift;                        // of A's diagonal; not of an inverse
  const CloverField *before = nullptr; // A before B, if the sum is twisted
  std::optional<HopTwist> twist {};    // T; its `one` is only read if x is twisted
};

/// out = a x + b D in + c (A + shift) y, or with an inverse out = a x + b B D in + c y, and sums over it (epilogue.h);
/// D^dag for D when dagger is set. A twist of y makes it c (A + shift + T) y, one of the sum b (A + T) B D in, one of x
/// a T x. Terms: native, on both parities, of the fields' precision. Otherwise as wilson_hop() and twisted_hop()
/// (ops/dirac/wilson.h).
void clover_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const CloverTerm &term,
                bool dagger, const Epilogue &end = {}, Sums *sums = nullptr);

} // namespace quda
