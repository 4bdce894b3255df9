#pragma once
/// What the host side of contractions site by site hands to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct SitewiseCall {
  FieldView x, y; // one shape, lattice and precision
  FieldView out;  // 2 spins^2 reals
  int parities;
  int corrected; // bilinears: entries 11 and 15 are sigma_13 and sigma_34
};

/// [precision: double, single]
struct SitewiseTable {
  void (*open[2])(const TuneParam &, void *stream, const SitewiseCall &);      // four spins
  void (*bilinears[2])(const TuneParam &, void *stream, const SitewiseCall &); // four spins
  void (*staggered[2])(const TuneParam &, void *stream, const SitewiseCall &); // one spin
};

} // namespace quda
