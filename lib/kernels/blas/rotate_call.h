#pragma once
/// What a rotation of a set of vectors is launched on (rotate.launch.cpp).

#include "core/stream_view.h"

namespace quda
{

constexpr int rotate_tiles = 256; // of a set, at most

/// Vectors that are worked on together.
struct RotateTile {
  int vectors;
};

struct RotateCall {
  StreamView shape; // groups: right-hand sides
  StreamField first;
  long long apart; // reals from a vector to the next
  int vectors;     // read
  int kept;        // written: the first of them
  const void *q;   // target's memory: (group, tile of results, vector, result of the tile) complex, floats of half
};

} // namespace quda
