#pragma once
/// Topological charge and energy of a gauge field, from the four-leaf field strength.

#include "fields/gauge_field.h"

namespace quda
{

struct ChargeAndEnergy {
  double charge;          // sum over the global lattice
  double spatial_energy;  // (1 / V) sum of -Re tr(F F) over sites and spatial planes, F made traceless
  double temporal_energy; // the same for the temporal planes
  double energy() const { return spatial_energy + temporal_energy; }
};

/// Sums over native links with a border of depth 2 in cut directions, current: exactly rounded, the same on all ranks
/// and for any rank grid. density: null, or room in host memory for the charge of each site of the rank, even sites
/// first, x fastest, reals of the links' precision; the exact sum over ranks is the charge. Collective over the field's
/// communicator.
ChargeAndEnergy charge_and_energy(const GaugeField &links, void *density = nullptr);

} // namespace quda
