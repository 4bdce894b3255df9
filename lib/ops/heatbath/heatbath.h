#pragma once
/// Pure gauge theory: heat bath and over-relaxation of actions of plaquettes and 1 x 2 rectangles.
///   weight     : exp((beta/3) sum of f [(1 - 8 c_1) Re tr P + c_1 Re tr R]) over all plaquettes and rectangles,
///                f = xi in planes with t, 1 / xi in the others
///   c_1        : 0 (Wilson), -1/12 (Symanzik), -0.331 (Iwasaki), -1.4088 (DBW2)
/// links      : native SU(3) links of anisotropy 1; the signs of an antiperiodic boundary stay where they are. With
///              c_1 != 0 no extent of the global lattice is 2.
/// Randomness : depends only on seed, sweep and global site, so any rank grid, target and number of threads gives the
///              same bits, and sweeps first .. first + n - 1 are the same in one call or several.
/// Collective : over the links' communicator if directions are cut.

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
  double rectangle = 0;  // c_1
  double anisotropy = 1; // xi
};

/// Does the sweeps; every link is made special unitary whenever it is updated, rows in turn. Works in place, and
/// on a copy with a border if directions are cut.
void heatbath(GaugeField &links, const HeatbathSweeps &sweeps);

/// Number of sets in which the links of one direction and parity are updated in turn: 1, or with rectangles 4.
int heatbath_colors(const HeatbathSweeps &sweeps);

/// One update of the links of one direction, parity and color, in place. Directions that are cut need a border,
/// current, of depth 1 or more, with rectangles 2; it becomes stale. update: number of the heat bath within the sweep.
void heatbath_update(GaugeField &links, const HeatbathSweeps &sweeps, int parity, int mu, bool relax, unsigned sweep,
                     int update, int color = 0);

} // namespace quda
