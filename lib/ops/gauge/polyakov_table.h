#pragma once
/// What the host side of the Polyakov loop hands to its launch unit.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct PolyakovCall {
  GaugeView links;
  LatticeView lattice; // of the links, without a border
  unsigned face_cb;    // stored sites of a time slice and parity
  void *from, *to;     // time slices of matrices
};

struct PolyakovTable {
  /// [precision: double, single][reconstruct: 18, 12]
  void (*stretch[2][2])(const TuneParam &, void *stream, const PolyakovCall &);
  /// [double, single]; the traces of `from`; sums[2] is added to.
  void (*trace[2])(const TuneParam &, void *stream, const PolyakovCall &, ExactLimbs *sums);
};

} // namespace quda
