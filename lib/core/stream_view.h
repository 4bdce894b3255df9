#pragma once
/// Fields of one shape and no border, for linear algebra: kernels walk them in the order of memory and know no sites.
/// The index space is points x rows x groups. A group is a right-hand side with its layers, or all of them as one
/// vector; a point has a record, the reals of one inner entry.
/// A point is a register of sites, or an inner entry at one where memory has no gaps (lanes); a row is an inner entry
/// of the group at a parity, parity * layers + layer. So a point is a multiple of record_stride away from the first.
/// Plain data without functions, as in core/view.h. Strides count in reals.

#include "core/view.h"

namespace quda
{

struct StreamView {
  unsigned points;
  unsigned rows;
  unsigned groups;
  unsigned layers;        // inner entries of a group that rows count; 1 if points count them
  long long inner_stride; // as in FieldView
  int reals;
  int vector;
  int active; // lanes of a register that hold sites
};

/// One of the fields.
struct StreamField {
  void *data;
  long long parity_stride;
  long long record_stride; // lanes: from a point to the next
};

} // namespace quda
