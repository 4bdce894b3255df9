#pragma once
/// Call of the copy of memory as it is.

#include "core/view.h"

namespace quda
{

/// First byte of a row at either end: data + parity parity_stride + row row_stride.
struct BytesEnd {
  void *data;
  long long parity_stride, row_stride;
};

struct BytesCall {
  BytesEnd to, from;
  int parities;
  unsigned rows;    // of a parity
  long long run;    // bytes of a row, a multiple of the target's moved_bytes
  int chunk;        // bytes that a point of the launch copies
  Divisor by_chunk; // points of a row
};

} // namespace quda
