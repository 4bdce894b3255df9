#pragma once
/// How scalar targets cut a record: for fields, which say so in their views, and for kernels that know it as they are compiled.

#include "core/view.h"

namespace quda
{

/// Reals a thread of a scalar target moves at once: blocks of at most 16 bytes and 8 reals that divide `reals`. Of records as
/// rows of a coarse grid have them pairs, which sums take apart (ops/blas/streams.h).
constexpr int scalar_vector(int bytes, int reals)
{
  if (reals % (2 * max_lanes) == 0) return 2;
  int n = 16 / bytes;
  if (n > 8) n = 8;
  while (reals % n) n /= 2;
  return n;
}

} // namespace quda
