#pragma once
/// Call of the kernel between staggered quarks and their hypercubes.

#include "core/view.h"

namespace quda
{

struct HypercubesCall {
  FieldView fine;    // 6 reals
  FieldView rows;    // 48 rows on the lattice of hypercubes
  int lo[4], hi[4];  // to rows: the part of each hypercube that counts
  int parity;        // of a fine field of one parity; -1: full
  int coarse_parity; // likewise
  int add;           // nonzero: adds to the result
};

} // namespace quda
