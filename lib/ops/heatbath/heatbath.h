#pragma once
/// Pure gauge theory: heat bath and over-relaxation of the Wilson action, weight exp((beta/3) sum of Re tr of the
/// plaquettes).
/// links      : native SU(3) links without anisotropy; the signs of an antiperiodic boundary stay where they are.
/// Randomness : depends on seed, sweep and global site alone, so any rank grid, target and number of threads gives the
///              same bits, and sweeps first .. first + n - 1 are the same in one call or several.
/// Collective : over the links' communicator where directions are cut.

#include "fields/gauge_field.h"

namespace quda
{

/// Most heat-bath updates of a sweep.
constexpr int max_heatbath_updates = 256;

struct HeatbathSweeps {
  double beta = 6;  // 6 / g^2, not negative
  int heatbath = 1; // heat-bath updates of every link in a sweep, up to max_heatbath_updates
  int relax = 4;    // over-relaxations after them
  int sweeps = 1;
  unsigned first = 0; // number of the first sweep
  unsigned long long seed = 0;
};

/// Carries the sweeps out; every link is made special unitary whenever it is updated, rows in turn. Works in place, and
/// on a copy with a border where directions are cut.
void heatbath(GaugeField &links, const HeatbathSweeps &sweeps);

/// One update of the links of one direction and parity, in place. Directions that are cut need a border of depth 1 or
/// more, current, which becomes stale. update: number of the heat bath within the sweep.
void heatbath_update(GaugeField &links, const HeatbathSweeps &sweeps, int parity, int mu, bool relax, unsigned sweep,
                     int update);

} // namespace quda
