#pragma once
/// Call of fat links.

#include "core/view.h"

namespace quda
{

constexpr int most_staple_fields = 8, most_staple_pairs = 12;

/// Both staples of a plane: direction of the sides, fields of the left side, of the parallel link and of the right
/// side.
struct StaplePair {
  unsigned char nu, left, parallel, right;
};

/// A sum of links of direction mu and of pairs of staples around them.
struct StapleSum {
  double links[most_staple_fields]; // weight of each field's link at x itself; 0: not read
  double staples;                   // of all pairs
  int pairs;
  StaplePair pair[most_staple_pairs];
};

struct FatLinksCall {
  GaugeView from[most_staple_fields]; // all with one border, 1 or more in cut directions, current
  GaugeView out[3];                   // alias nothing; their borders, all alike, are not written
  StapleSum sums[4][3];               // (mu)(out)
  int fields, outs;                   // of from and out in use
  int add;                            // nonzero: adds to out
};

} // namespace quda
