#pragma once
/// What the host side hands to the kernel of matrices in the fifth dimension.

#include "core/view.h"

namespace quda
{

constexpr int most_fifth = 32; // the largest extent of the fifth dimension

struct FifthCall {
  SpinorView out, in;
  int parities;
  int terms; // coefficients of powers 0 ... terms - 1 of the shift
  int dagger;
  double c[most_fifth];    // within the walls
  double wall[most_fifth]; // of a spinor that came through a wall: -mass c
};

} // namespace quda
