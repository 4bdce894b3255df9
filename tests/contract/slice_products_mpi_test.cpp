/// Products summed over time slices, on several ranks: the bits of one process, on every rank and whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "ops/contract/slice_products.h"
#include "slices.h"
#include "support/grids.h"

using namespace quda;

TEST(SliceProductsOnRanks, GiveTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global({4, 4, 4, 8});
  const auto vectors = contractions::random_propagator(global, 1, 3, 31),
             quarks = contractions::random_propagator(global, 1, 2, 51);
  for (const Precision precision : {Precision::double_, Precision::single}) {
    contractions::Numbers alone;
    const auto products = [&](support::Place place, bool sliced) {
      if (sliced) place.lattice = Lattice::sliced(place.part.local.X.data(), place.lattice->shared_communicator(), 3);
      return slice_products(contractions::native(place, vectors, precision, 1),
                            contractions::native(place, quarks, precision, 4));
    };
    support::on_targets([&] {
      if (alone.empty()) alone = products(support::Place(global, make_single_communicator()), false);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        for (const bool sliced : {false, true}) EXPECT_EQ(products(support::Place(global, comm), sliced), alone);
      });
    });
  }
}
