#pragma once
/// Call of copies between orders and precisions.

#include "core/view.h"

namespace quda
{

/// Place of the records (parity, x_cb, inner) of one side of a copy: in a native field, or at
/// data[separate ? inner : 0] + parity parity_stride + inner inner_stride + n record_stride, counted in reals; n is
/// half the lexicographic number of the site in extents stored, the rank's first site being at offset.
struct ReorderEnd {
  int native;
  FieldView field; // for a foreign side: strides, and the lattice of the native one
  void *data[4];   // for a foreign side
  int separate;
  int stored[4], offset[4];
  int transposed;  // 3 x 3 complex, column by column
  long long plane; // or 3 x 3 complex, all real parts, then all imaginary ones: distance between them; 0: not so
  double times;    // unit of the foreign numbers, or 0: taken as they are
  double range;    // of fixed point without scales: the number for its largest integer, or 0: 1
};

struct ReorderCall {
  ReorderEnd to, from;
  int parity, parities; // of the sites copied: 0 and 2, or one parity
  int inner;
  int slices; // of a checkerboard of five dimensions, whose odd ones exchange the parities; or 1
  int reals;  // copied of each record
  int spins;  // rotated, if rotate; reals = 2 spins colors
  int rotate;
  double rotation[4][4]; // to spin s = sum_t rotation[s][t] from spin t
  int *beyond;           // becomes 1 if fixed point without scales cannot hold a number; in the target's memory
};

} // namespace quda
