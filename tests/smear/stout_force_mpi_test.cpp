/// Forces of stout-smeared links on several ranks: the bits of one process, whatever the grid and target.

#include <mpi.h>

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "smear/stout_cases.h"
#include "support/grids.h"

using namespace quda;
using namespace stout_test;

TEST(StoutForceOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 2 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 6), extent(2, 2), extent(3, 4)});
    const reference::GaugeField thin = reference::random_gauge(global, 81),
                                old = reference::random_momentum(global, 82),
                                of_smeared = reference::random_momentum(global, 83);
    for (const Case &one : cases()) {
      if (one.step.time_sides == 1 && one.step.rho < 0.5) continue;
      SCOPED_TRACE(one.name);
      std::optional<reference::QdpLinks<double>> first; // of the first target
      support::on_targets([&] {
        for (const Precision precision : {Precision::double_, Precision::single}) {
          const auto numbers_of = [&](const support::Place &place) {
            return force_test::numbers(place, native_force(place, thin, of_smeared, one, 2, {precision}, &old));
          };
          const auto whole = numbers_of(support::Place(global, make_single_communicator()));
          if (!first) first = whole;
          EXPECT_TRUE(precision == Precision::single || whole == *first) << "another target's bits";
          const support::Place place(global, comm);
          const auto mine = numbers_of(place);
          int differing = 0;
          for (int mu = 0; mu < 4; mu++)
            for (std::size_t slot = 0; slot < place.part.local.volume(); slot++)
              differing +=
                  std::memcmp(&mine[mu][10 * slot], &whole[mu][10 * global.slot(place.part.global_coords(slot))],
                              10 * sizeof(double)) != 0;
          EXPECT_EQ(differing, 0);
        }
      });
    }
  });
}
