#pragma once
/// Call of a rotation of a set of vectors (rotate.launch.cpp).

#include "core/stream_view.h"

namespace quda
{

/// Maximal number of vectors of a set on all targets: a GPU's block has a thread for each two of them, a processor's
/// stack the panel of all.
constexpr int most_rotated_vectors = 2048;
constexpr int rotate_tiles = most_rotated_vectors / 2; // of two or more vectors

/// Vectors processed together.
struct RotateTile {
  int vectors;
};

struct RotateCall {
  StreamView shape; // groups: right-hand sides
  StreamField first;
  long long apart; // reals from a vector to the next
  int vectors;     // read
  int kept;        // written: the first `kept` of them
  const void *q;   // target's memory: (group, tile of results, vector, result of the tile) complex, floats of half
};

} // namespace quda
