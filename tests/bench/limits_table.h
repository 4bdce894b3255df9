#pragma once
/// What the machine's own limits are measured with: plain views handed to the launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda::bench
{

/// Reals of a record of the limits' arrays: 512 bytes on AVX-512.
constexpr int limit_reals = 8;
/// Records that `update` asks for ahead of those it reads.
constexpr int update_ahead = 8;
/// Streams that `gather` reads, half of them in each of two arrays, and the records that it asks for ahead.
constexpr unsigned gather_streams = 6;
constexpr int gather_ahead = 8;
/// Records of each array that one index of `dot` reads.
constexpr unsigned dot_chunk = 64;
/// Steps of the twelve chains of one index of `fma`, each a multiply-add a lane.
constexpr int fma_steps = 4096, fma_chains = 12;

struct LimitCall {
  FieldView x, y, z;  // (record) limit_reals numbers each
  unsigned count;     // indices
  unsigned near, far; // dot: record k of index n is n near + k far; gather: n + k far
  double a, b;
};

struct LimitTable {
  using Launch = void (*)(const TuneParam &, void *stream, const LimitCall &);
  Launch nothing;
  Launch fill;   // x = y = a, z = b
  Launch copy;   // z = x
  Launch triad;  // z = a x + y
  Launch update; // z = a x + z
  Launch gather; // z_n = sum over pieces of x and y
  Launch dot;    // z_n = sum_k x y
  Launch fma[2]; // [double, single] z = chains of c = c a + b
};

} // namespace quda::bench
