#pragma once
/// Blocks of a record on scalar targets: stated in the views of fields, and known to kernels at compile time.

#include "core/view.h"

namespace quda
{

/// Reals that a thread of a scalar target moves at once: the largest block of at most 16 bytes and 8 reals that divides
/// `reals`. Records of a coarse grid's rows have pairs, which sums take apart (ops/blas/streams.h).
constexpr int scalar_vector(int bytes, int reals)
{
  if (reals % (2 * max_lanes) == 0) return 2;
  int n = 16 / bytes;
  if (n > 8) n = 8;
  while (reals % n) n /= 2;
  return n;
}

} // namespace quda
