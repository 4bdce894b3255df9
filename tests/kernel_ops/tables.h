#pragma once
/// What the tests of this folder pass to their launch units: plain numbers and pointers to memory of the target.
/// Numbers of a point are `width` reals (lanes) apart; arrays are x fastest.

#include "core/exact_limbs.h"
#include "core/tune_param.h"

namespace quda
{

struct PointsCall {
  unsigned threads[3];
  int *visits; // [z][y][x], raised by one at every visit
  int *wrong;  // raised where x, y, z do not lie in the index space
};

/// [kernel of one step, of two]
struct PointsTable {
  void (*one[2])(const TuneParam &, const PointsCall &);
  void (*two[2])(const TuneParam &, const PointsCall &);
  void (*three[2])(const TuneParam &, const PointsCall &);
};

struct ArrayCall {
  unsigned threads[3];
  const double *in;
  double *out;
  double *second;
};

struct CachesTable {
  void (*own)(const TuneParam &, const ArrayCall &);       // (x): ThreadLocalCache, thread_array
  void (*exchange)(const TuneParam &, const ArrayCall &);  // (x, y): SharedMemoryCache along y, op_blockSync
  void (*transpose)(const TuneParam &, const ArrayCall &); // (x, y), lanes apart: tiles of x and y
  int (*own_bytes)(int x, int y, int z);
  int (*exchange_bytes)(int x, int y, int z);
  int (*transpose_bytes)(int x, int y, int z);
};

constexpr int split_points = 4; // threads that share a point in CombineTable::warp

struct CombineTable {
  void (*block)(const TuneParam &, const ArrayCall &); // (x, y, z): sums over y
  void (*warp)(const TuneParam &, const ArrayCall &);  // (x, y): sums over y, of which there are split_points
};

struct SumCall {
  unsigned threads[3];
  int active;
  const void *in; // [y][x][lane] of double or float
};

constexpr int sums = 2; // the entries, and their negatives doubled

struct SumTable {
  void (*in_double)(const TuneParam &, const SumCall &, ExactLimbs *);
  void (*in_single)(const TuneParam &, const SumCall &, ExactLimbs *);
};

} // namespace quda
