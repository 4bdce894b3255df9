#pragma once
/// Plaquette of a gauge field.

#include "fields/gauge_field.h"

namespace quda
{

struct PlaquetteAverage {
  double spatial;  // (1 / 9 V) sum over sites and spatial planes of Re tr P
  double temporal; // the same for the temporal planes
  double mean() const { return 0.5 * (spatial + temporal); }
};

/// Average over the global lattice, normalised to 1 for unit links, exactly rounded sums: the same on all ranks and for
/// any rank grid. links: native, border of depth 1 or more in cut directions, current. Collective over its
/// communicator.
PlaquetteAverage plaquette(const GaugeField &links);

} // namespace quda
