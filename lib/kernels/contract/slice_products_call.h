#pragma once
/// Call of products of colour vectors and quark fields, summed over time slices.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

constexpr int quark_spins = 4;

/// Vectors of a group: as many as registers have chains for.
struct SliceTile {
  int vectors;
};

struct SliceProductsCall {
  FieldView vectors; // one spin, an entry for each vector
  FieldView quarks;  // four spins, an entry for each quark
  unsigned first_vector, n_vectors, first_quark;
  unsigned first_slice; // of the rank
  unsigned across;      // groups along the vectors
  unsigned tiles;       // groups of a slice
  unsigned groups;
  Divisor cubes_y;  // of a block
  ExactLimbs *sums; // (group, vector, spin, part)
};

} // namespace quda
