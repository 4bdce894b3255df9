#pragma once
/// What the host side hands to every hop (stencil.h) and to its finish (finish.h).

#include "core/view.h"

namespace quda
{

/// The hop on a list of sites.
struct StencilCall {
  SpinorView in; // its halo slots current in cut directions
  GaugeView links;
  int dagger;
  int parity;               // of the result; both parities of full fields: 0
  int parities;             // 1 or 2
  const unsigned *sites;    // (parities, count) registers to do, memory of the target; null: all of them
  unsigned count;           // registers a parity
  const unsigned char *far; // (2 parities, register): bit 2 d + up is set where the hop reads, in direction d, what it
                            // has not read lately; null: nothing is known
};

constexpr int most_coefficients = 32;

/// out = a x + b sum, or b sum where x is null.
struct AddToCall {
  SpinorView out;
  SpinorView x;
  int coefficients; // 1, or one each for as many right-hand sides
  double a[most_coefficients], b[most_coefficients];
};

} // namespace quda
