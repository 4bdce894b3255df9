#pragma once
/// Calls of the clover term's derivative.

#include "core/view.h"

namespace quda
{

/// Inner entries (right-hand sides times flavours) of one launch.
constexpr int most_tensor_entries = 32;

/// Reals a site of a tensor: (block 2, part 3, 9).
constexpr int tensor_reals = 54;

struct CloverTensorCall {
  FieldView left, right; // spinors of both parities
  FieldView tensor;      // of both parities
  int entries;
  int add; // nonzero: adds to the tensor
  double of_parity[2];
  double weight[most_tensor_entries];
};

struct TermTensorCall {
  FieldView term;   // (parity 2, x_cb, block 2, 36)
  FieldView tensor; // added to
  double of_parity[2];
};

struct CornerSumsCall {
  GaugeView links;  // with the sums' border
  FieldView tensor; // of both parities
  HaloView halo;    // of the tensor, from above; only read across cut faces
  GaugeView sum[3]; // anti-Hermitian, with their traces
};

struct LeafGradientCall {
  GaugeView links, sum[3]; // with a border of 1 or more in cut directions, current
  GaugeView gradient;      // added to; without border
};

} // namespace quda
