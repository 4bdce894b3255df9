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

/// (x): over runs of 4, 8, 32 and 5 indices of a block, `most_of_block` at most; out: sums, second: maxima
struct PartsTable {
  void (*parts[4])(const TuneParam &, const ArrayCall &);
};
constexpr int part_lengths[] = {4, 8, 32, 5};
constexpr int most_of_block = 64;

struct FoldCall {
  unsigned threads[3];
  int active;
  const double *in, *places; // [y][x][lane]
};

/// [minimum, maximum, largest number and its place]: over (x, y) into the first two of `parts`; of several results.
struct FoldTable {
  void (*launch[3])(const TuneParam &, const FoldCall &, double *parts);
  void (*combine[3])(double *numbers, int parts);
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
  void (*in_groups)(const TuneParam &, const SumCall &, ExactLimbs *); // doubles, times 2^z in group z
};

template <int n> struct Shorts {
  short v[n];
};
struct Pair {
  double first, second;
};

struct TransposeCall {
  unsigned nx, ny, nz;
  const void *in; // [z][y][x]
  void *out;      // [z][x][y]
};

constexpr int element_bytes[] = {2, 4, 6, 8, 12, 16};
constexpr int tile_shapes[][2] = {{1, 1}, {4, 4}, {8, 8}, {16, 16}, {2, 4}, {3, 5}, {16, 1}};

struct TransposeTable {
  void (*run[6][7])(const TuneParam &, const TransposeCall &); // [element_bytes][tile_shapes]
  int (*shared_bytes[6][7])(int x, int y);
  void (*rotated)(const TuneParam &, const TransposeCall &); // of doubles, to floats
};

} // namespace quda
