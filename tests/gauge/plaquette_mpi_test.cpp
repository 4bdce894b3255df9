/// The plaquette on several ranks: the bits of one process, whatever the grid.

#include <algorithm>

#include <gtest/gtest.h>

#include "ops/gauge/plaquette.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

TEST(PlaquetteOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 12, 16});
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    reference::set_up_links(gauge, 2.464, -1);
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        const support::LinkForm form {precision, reconstruct, 2.464, -1};
        support::expect_bits_of_one_process(global, [&](const support::Place &place) {
          const GaugeField links = support::native_links(place, gauge, form);
          // one process has no border
          const bool alone = place.lattice->communicator().size() == 1;
          const PlaquetteAverage average = alone ? plaquette(links) : plaquette(extended(links, 2));
          const int *X = links.lattice().X();
          if (*std::min_element(X, X + 4) >= 4) {
            EXPECT_EQ(plaquette(extended(links, 4)).spatial, average.spatial);
            EXPECT_EQ(plaquette(extended(links, 4)).temporal, average.temporal);
          }
          return support::Results(average.spatial, average.temporal);
        });
      }
  });
}
