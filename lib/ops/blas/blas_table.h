#pragma once
/// What the linear algebra on whole fields hands to its launch units.

#include "core/exact_limbs.h"
#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct BlasCall {
  FieldView x, y, z; // one shape, lattice, precision and order; those a kernel does not read may be null
  int parities;
  double a;
};

/// [precision: double, single]
struct BlasTable {
  void (*copy[2])(const TuneParam &, void *stream, const BlasCall &);                   // z = x
  void (*axpyz[2])(const TuneParam &, void *stream, const BlasCall &);                  // z = a x + y
  void (*norm2[2])(const TuneParam &, void *stream, const BlasCall &, ExactLimbs *sum); // sum += |x|^2
};

} // namespace quda
