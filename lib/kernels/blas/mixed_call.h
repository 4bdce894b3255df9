#pragma once
/// Call of an update between two precisions (mixed.h).

#include "core/stream_view.h"

namespace quda
{

constexpr int mixed_groups = 32; // right-hand sides of one launch

/// Two fields of one shape; a point is an inner entry of a register of the lower precision's sites.
struct MixedCall {
  StreamView to_shape, from_shape; // points, rows and groups are to_shape's
  StreamField to, from;
  long long to_part, from_part; // lanes: reals from a register to the next
  int parts;                    // registers of a point in the higher precision: 1 or 2
  bool add;
  bool complex; // else coefficients are real
  double re[mixed_groups];
  double im[mixed_groups];
};

} // namespace quda
