#pragma once
/// Call of every hop (stencil.h) and of its finish (finish.h).

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

/// A hop on a list of sites.
struct StencilCall {
  SpinorView in; // its halo slots current in cut directions
  GaugeView links;
  int legs; // bit 2 d + up: the selected legs, if a hop has a choice
  int dagger;
  int parity;               // of the result; 0 for both parities of full fields
  int parities;             // 1 or 2
  const unsigned *sites;    // (parities, count) registers to do, memory of the target; null: all of them
  unsigned count;           // registers a parity
  const unsigned char *far; // (2 parities, register): bit 2 d + up is set if the hop reads in direction d a
                            // record that it has not read recently; null: unknown
};

/// Additional legs of another length, with separate links.
struct LongLegsCall {
  GaugeView links;
  HaloView halo; // current in cut directions; its first layer serves the hop's own legs from above
  double unit;   // unit of the stored links, over that of the hop's links
};

constexpr int most_coefficients = 32;

/// Sums over the result of a finish: 4 for each right-hand side, added to `limbs` on request.
struct FinishSumsCall {
  static constexpr int each = 4;
  ExactLimbs *limbs; // (right-hand side, sum); null: none
  int norm;          // sum 0: |out|^2
  int change;        // sum 1: Re <out, out - c y>
  int dot;           // sums 2, 3: <w, out>
  SpinorView w;
};

/// Factor of the sum or of x: one + i a gamma5 tau3 + b tau1, tau on the flavours of a doublet; for the sum b = 0 and
/// one flavour.
struct FinishTwistCall {
  enum { none, of_sum, of_x } which;
  double one, a, b;
};

/// out = a x + b sum + c y; terms without a field are left out.
struct AddToCall {
  SpinorView out;
  SpinorView x; // must not be out with a twist whose b is not 0
  SpinorView y;
  int coefficients; // 1, or the number of right-hand sides, one each
  double a[most_coefficients], b[most_coefficients], c[most_coefficients];
  FinishTwistCall twist;
  FinishSumsCall sums;
};

/// Call of a plain hop.
struct HopCall {
  StencilCall hop;
  AddToCall finish;
};

/// Call of a hop with legs of two lengths.
struct TwoLengthHopCall {
  StencilCall hop;
  LongLegsCall long_legs;
  AddToCall finish;
};

} // namespace quda
