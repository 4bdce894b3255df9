/// Contractions on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "contractions.h"
#include "support/grids.h"

using namespace quda;

TEST(ContractOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 16});
    const auto x = reference::random_spinors(global, 31), y = reference::random_spinors(global, 32);
    const std::pair<Contraction, Precision> cases[] = {{Contraction::corrected_bilinears, Precision::double_},
                                                       {Contraction::staggered, Precision::single}};
    for (const auto &[type, precision] : cases) {
      const int spins = contractions::spins_of(type);
      support::expect_bits_of_one_process(global, [&](const support::Place &place) {
        return support::OfSites {contractions::contraction_reals(
            contractions::native(place, x, precision, spins), contractions::native(place, y, precision, spins), type)};
      });
    }
  });
}
