/// Gradients of Wilson-type operators on several ranks: the bits of one process, whatever the grid and the target.

#include <gtest/gtest.h>

#include "force/quark_pairs.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;

TEST(QuarkGradientOnRanks, GivesTheBitsOfOneProcess)
{
  for (const support::Grid &grid : support::grids_of(support::ranks())) {
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 4 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 4), extent(2, 2), extent(3, 2)});
    const reference::GaugeField links = reference::random_gauge(global, 91);
    const auto pairs = with_flavours(random_pairs(global, 4, 92), 2);
    for (const Precision precision : {Precision::double_, Precision::single})
      support::expect_bits_on_targets(
          global,
          [&](const support::Place &place) {
            const LinkSet set = links_of(place, links, precision);
            QuarkGradient sum(set);
            sum.add(Pairs(place, pairs, precision, 2).view(), 0.7, {0.3, -0.4});
            return sum.take();
          },
          precision == Precision::double_, [&](const support::Grid &other) { return other == grid; });
  }
}
