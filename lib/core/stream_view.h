#pragma once
/// Fields of one shape and no border, walked in the order of memory by kernels that know no places: the linear algebra.
/// The index space is points x rows x groups. A group is a right-hand side with its layers, or all of them as one
/// vector; a point has a record, the reals of one inner entry.
///   lanes   : a point is an inner entry of the group at a register of sites, site * layers + layer; a row is a parity
///   scalar  : a point is a site, a row an inner entry of the group at a parity, parity * layers + layer
/// Plain data without functions, as in core/view.h. Strides count in reals.

#include "core/view.h"

namespace quda
{

struct StreamView {
  unsigned points;
  unsigned rows;
  unsigned groups;
  Divisor layers;         // inner entries of a group that a point or row counts through; 1 where memory has no gaps
  long long inner_stride; // as in FieldView
  int reals;
  int vector;
  int active; // lanes of a register that hold sites
};

/// One of the fields.
struct StreamField {
  void *data;
  long long parity_stride;
  long long record_stride; // lanes: from the layers of a register of sites to those of the next
};

} // namespace quda
