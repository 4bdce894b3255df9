/// Forces of stout-smeared links on several ranks: the bits of one process, whatever the grid and target.

#include <gtest/gtest.h>

#include "smear/stout_cases.h"
#include "support/grids.h"

using namespace quda;
using namespace stout_test;

TEST(StoutForceOnRanks, GivesTheBitsOfOneProcess)
{
  for (const support::Grid &grid : support::grids_of(support::ranks())) {
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 2 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 6), extent(2, 2), extent(3, 4)});
    const reference::GaugeField thin = reference::random_gauge(global, 81),
                                old = reference::random_momentum(global, 82),
                                of_smeared = reference::random_momentum(global, 83);
    for (const Case &one : cases()) {
      if (one.step.time_sides == 1 && one.step.rho < 0.5) continue;
      SCOPED_TRACE(one.name);
      for (const Precision precision : {Precision::double_, Precision::single})
        support::expect_bits_on_targets(
            global,
            [&](const support::Place &place) {
              return force_test::numbers(place, native_force(place, thin, of_smeared, one, 2, {precision}, &old));
            },
            precision == Precision::double_, [&](const support::Grid &other) { return other == grid; });
    }
  }
}
