#pragma once
/// Calls of the kernels between a lattice and the coarse grid of its aggregates.

#include "core/view.h"

namespace quda
{

/// Maximal number of vectors of V: the kernels on lanes keep the coarse numbers of an aggregate in addition to them.
constexpr int most_block_vectors = 256;

struct BlocksCall {
  FieldView V;       // 24 reals; right-hand side i is vector i
  FieldView fine;    // 24 reals, on the same lattice
  FieldView coarse;  // rows
  int block[4];      // extents of an aggregate
  int lo[4], hi[4];  // restriction: the part of each aggregate that is summed over
  int parity;        // of a fine field of one parity; -1: full
  int coarse_parity; // likewise
  int add;           // nonzero: adds to the result
};

struct ChiralColumnsCall {
  FieldView in, out; // 24 reals
  int first, last;   // chiralities: a column of out for each and right-hand side of in
  int direction;     // -1: no gamma matrix
  int sign;          // of the gamma matrix
  int parity, parities;
};

} // namespace quda
