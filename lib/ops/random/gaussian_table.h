#pragma once
/// What the host side of random fields hands to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct GaussianCall {
  GaugeView out;
  double sigma;
  unsigned long long seed;
  bool uniform;      // links uniform in SU(3) in place of exp(sigma H)
  bool as_described; // links times the factors that the field's description names
};

struct GaussianTable {
  void (*momentum[2])(const TuneParam &, void *stream, const GaussianCall &); // [double, single]
  void (*links[2][2])(const TuneParam &, void *stream, const GaussianCall &); // [double, single][18, 12]
};

} // namespace quda
