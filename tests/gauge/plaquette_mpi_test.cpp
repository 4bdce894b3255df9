/// The plaquette on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "ops/gauge/plaquette.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/native_fields.h"

using namespace quda;

TEST(PlaquetteOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 12, 16});
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    reference::set_up_links(gauge, 2.464, -1);
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        const support::LinkForm form {precision, reconstruct, 2.464, -1};
        const PlaquetteAverage alone =
            plaquette(support::native_links(support::Place(global, make_single_communicator()), gauge, form));
        support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
          SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
          const GaugeField links = support::native_links(support::Place(global, comm), gauge, form);
          for (const int depth : {2, 4}) {
            bool fits = true;
            for (int d = 0; d < 4; d++) fits = fits && depth <= links.lattice().X(d);
            if (!fits) continue;
            const PlaquetteAverage average = plaquette(extended(links, depth));
            EXPECT_EQ(average.spatial, alone.spatial);
            EXPECT_EQ(average.temporal, alone.temporal);
          }
        });
      }
  });
}
