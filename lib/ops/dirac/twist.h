/// The site term of twisted-mass fermions, gamma5 = diag(1, 1, -1, -1), tau on the flavours of a doublet. With
/// a = 2 kappa mu and b = -2 kappa epsilon it is the diagonal of the operator; its inverse has the same form.
#pragma once

#include "fields/color_spinor_field.h"

namespace quda
{

/// scale (one + i a gamma5 tau3 + b tau1); for a single flavour scale (one + i a gamma5), b = 0.
struct TwistTerm {
  double scale = 1;
  double a = 0;
  double b = 0;
  double one = 1;

  TwistTerm adjoint() const { return {scale, -a, b, one}; }
  /// For one = 1. bad_argument if 1 + a^2 - b^2 is not positive.
  TwistTerm inverse() const;
};

/// A twisted-mass term fused with a hop: it multiplies the sum over the neighbours, or a term of the epilogue. On the
/// sum it does not mix flavours.
struct HopTwist {
  TwistTerm term {};
  enum Factor { sum, x, y } factor = sum;
};

/// out = term in. in, out: native spinors of 4 spins, 3 colors and one or two flavours, of one shape and precision; out
/// may be in. Collective: while its kernels are tuned.
void apply_twist(ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term);
/// out = out + term in, out not in.
void add_twist(ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term);

} // namespace quda
