/// Fat, long and unitarised links on several ranks: the bits of one process whatever the grid, down to a local extent
/// of two.

#include <gtest/gtest.h>

#include "ops/links/fat_links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

/// Fat links with and without levels, long ones, unitary parts.
support::Results made(const support::Place &place, const reference::GaugeField &gauge, Precision precision)
{
  LinkSet links;
  links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, {precision})));
  const GaugeField all_levels = fat_links(links, {0.7, 0.1, 0.05, 0.02, -0.1});
  GaugeField unitary(all_levels.param());
  EXPECT_EQ(unitary_links(unitary, all_levels, false), 0);
  return support::Results(all_levels, fat_links(links, {0.7, -0.1}), fat_links(links, {0.125}),
                          long_links(links, -1. / 24), unitary);
}

} // namespace

TEST(FatLinksOnRanks, GiveTheBitsOfOneProcess)
{
  const reference::Lattice global({4, 4, 4, support::ranks() == 4 ? 8 : 4});
  const reference::GaugeField gauge = reference::random_gauge(global, 51);
  for (const Precision precision : {Precision::double_, Precision::single})
    support::expect_bits_on_targets(
        global, [&](const support::Place &place) { return made(place, gauge, precision); },
        precision == Precision::double_);
}
