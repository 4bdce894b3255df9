/// Sums over slices on several ranks: the bits of one process, on every rank and whatever the grid.

#include <gtest/gtest.h>

#include "slices.h"
#include "support/grids.h"

using namespace quda;

TEST(SlicesOnRanks, GiveTheBitsOfOneProcess)
{
  const reference::Lattice global({4, 4, 8, 8});
  const struct {
    int spins, colors, direction;
    Precision precision;
  } cases[] = {{1, 3, 3, Precision::double_}, {4, 1, 2, Precision::single}};
  for (const auto &one : cases) {
    const auto x = contractions::random_propagator(global, one.spins, one.colors, 31),
               y = contractions::random_propagator(global, one.spins, one.colors, 51);
    support::expect_bits_on_targets(global, [&](const support::Place &place) {
      const auto numbers = contractions::products(contractions::native(place, x, one.precision, one.spins),
                                                  contractions::native(place, y, one.precision, one.spins));
      return sum_plane_waves(numbers, one.direction, contractions::library_waves(), contractions::source);
    });
  }
}
