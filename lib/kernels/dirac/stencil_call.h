#pragma once
/// What the host side hands to every hop (stencil.h) and to its finish (finish.h).

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

/// The hop on a list of sites.
struct StencilCall {
  SpinorView in; // its halo slots current in cut directions
  GaugeView links;
  int legs; // bit 2 d + up: those that are taken, where a hop has a choice
  int dagger;
  int parity;               // of the result; both parities of full fields: 0
  int parities;             // 1 or 2
  const unsigned *sites;    // (parities, count) registers to do, memory of the target; null: all of them
  unsigned count;           // registers a parity
  const unsigned char *far; // (2 parities, register): bit 2 d + up is set where the hop reads, in direction d, what it
                            // has not read lately; null: nothing is known
};

/// Legs of another length beside those of a hop, with links of their own.
struct LongLegsCall {
  GaugeView links;
  HaloView halo; // current in cut directions; what the hop's own legs read from above stands in its first layer
  double unit;   // what they are stored in multiples of, over that of the hop's links
};

constexpr int most_coefficients = 32;

/// Sums over what a finish writes: 4 of each right-hand side, added to `limbs` where they are asked for.
struct FinishSumsCall {
  static constexpr int each = 4;
  ExactLimbs *limbs; // (right-hand side, sum); null: none
  int norm;          // sum 0: |out|^2
  int change;        // sum 1: Re <out, out - c y>
  int dot;           // sums 2, 3: <w, out>
  SpinorView w;
};

/// What multiplies the sum or x: one + i a gamma5 tau3 + b tau1, tau on the flavours of a doublet; of the sum b = 0 and
/// one flavour.
struct FinishTwistCall {
  enum { none, of_sum, of_x } which;
  double one, a, b;
};

/// out = a x + b sum + c y, without the terms whose fields are null.
struct AddToCall {
  SpinorView out;
  SpinorView x; // with a twist whose b is not 0 not out
  SpinorView y;
  int coefficients; // 1, or one each for as many right-hand sides
  double a[most_coefficients], b[most_coefficients], c[most_coefficients];
  FinishTwistCall twist;
  FinishSumsCall sums;
};

/// Call of a hop that needs nothing else.
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
