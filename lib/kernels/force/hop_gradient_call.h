#pragma once
/// Call of gradients of Wilson's hop.

#include "core/view.h"

namespace quda
{

/// Inner entries (right-hand sides times flavours) of one launch.
constexpr int most_hop_entries = 32;

struct HopGradientCall {
  FieldView left, right;      // spinors of both parities
  HaloView of_left, of_right; // half spinors from above: of 1 + gamma_mu, of 1 - gamma_mu; only read across cut faces
  GaugeView gradient;         // whole matrices, without border
  const unsigned *sites;      // (2 parities, count) registers to do; null: all of them
  unsigned count;             // registers a parity
  int entries;
  int add; // nonzero: adds to the gradient
  double weight[most_hop_entries];
};

} // namespace quda
