#pragma once
/// What the host side hands to the copy of memory as it lies.

#include "core/view.h"

namespace quda
{

/// Bytes to and from which a row begins: data + parity parity_stride + row row_stride.
struct BytesEnd {
  void *data;
  long long parity_stride, row_stride;
};

struct BytesCall {
  BytesEnd to, from;
  int parities;
  unsigned rows;    // of a parity
  long long run;    // bytes of a row, a multiple of what the target moves at once
  int chunk;        // bytes of a point of the launch
  Divisor by_chunk; // points of a row
};

} // namespace quda
