#pragma once
/// What the host side of copies hands to its launch units.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

/// Where the records (parity, x_cb, inner) of one side of a copy lie: in a native field, or at
/// data[separate ? inner : 0] + parity parity_stride + inner inner_stride + x_cb record_stride, counted in reals.
struct ReorderEnd {
  int native;
  FieldView field; // of a foreign side: strides, and the lattice of the native one
  void *data[4];   // of a foreign side
  int separate;
  int transposed; // 3 x 3 complex, column by column
  double times;   // what foreign numbers are multiples of, or 0: taken as they are
};

struct ReorderCall {
  ReorderEnd to, from;
  int parity, parities; // of the sites copied: 0 and 2, or one parity
  int inner;
  int reals; // copied of each record
  int spins; // rotated, if rotate; reals = 2 spins colors
  int rotate;
  double rotation[4][4]; // to spin s = sum_t rotation[s][t] from spin t
  int *beyond;           // becomes 1 where fixed point without scales cannot hold a number; of the target's memory
};

struct RebuildCall {
  GaugeView from; // reconstruct 12 or 8; to be compressed: 18
  FieldView to;   // 18 reals; compressed: 8; same lattice and precision
};

struct ReorderTable {
  void (*reorder[3][3])(const TuneParam &, void *stream, const ReorderCall &); // [to: double, single, half][from]
  void (*convert[2])(const TuneParam &, void *stream, const ReorderCall &);    // single to half, half to single
  void (*rebuild[2][2])(const TuneParam &, void *stream, const RebuildCall &); // [double, single][from 12, 8]
  void (*compress[2])(const TuneParam &, void *stream, const RebuildCall &);   // [double, single], to 8
};

} // namespace quda
