#pragma once
/// What the machine's own limits are measured with: plain views handed to the launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda::bench
{

/// Reals of a record of the limits' arrays: 512 bytes on AVX-512.
constexpr int limit_reals = 8;
/// Records in a step of the tuner's distance: those of a spinor, so that limits look ahead as far as kernels do.
constexpr int ahead_step = 3;
/// Streams that `gather` reads, half of them in each of two arrays.
constexpr unsigned gather_streams = 6;
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
