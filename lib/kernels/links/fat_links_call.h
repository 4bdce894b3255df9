#pragma once
/// What the host side hands to the kernel of fat links.

#include "core/view.h"

namespace quda
{

/// A sum of links of direction mu and of pairs of staples, whose parallel links are those of a field.
struct StapleSum {
  double links[4]; // weight of each field's link at x itself; 0: not read
  double staples;  // of all pairs
  int pairs;
  int nu[3], parallel[3]; // of each pair: direction of the sides, field of the parallel links
};

struct FatLinksCall {
  GaugeView
      from[4]; // [0]: the links, which sides are made of; all with one border, 1 or more in cut directions, current
  GaugeView out[3];     // alias nothing; their borders, all alike, are not written
  StapleSum sums[4][3]; // (mu)(out)
  int fields, outs;     // of from and out in use
};

} // namespace quda
