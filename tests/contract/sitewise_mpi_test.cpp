/// Contractions on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "contractions.h"
#include "support/grids.h"

using namespace quda;

TEST(ContractOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 16});
    const auto x = reference::random_spinors(global, 31), y = reference::random_spinors(global, 32);
    const std::pair<Contraction, Precision> cases[] = {{Contraction::corrected_bilinears, Precision::double_},
                                                       {Contraction::staggered, Precision::single}};
    for (const auto &[type, precision] : cases) {
      const int spins = contractions::spins_of(type);
      const std::size_t entries = spins * spins;
      const support::Place alone(global, make_single_communicator());
      const auto whole = contractions::contraction(contractions::native(alone, x, precision, spins),
                                                   contractions::native(alone, y, precision, spins), type);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        const support::Place place(global, comm);
        const auto mine = contractions::contraction(contractions::native(place, x, precision, spins),
                                                    contractions::native(place, y, precision, spins), type);
        ASSERT_EQ(mine.size(), entries * place.part.local.volume());
        for (std::size_t slot = 0; slot < place.part.local.volume(); slot++) {
          const std::size_t there = global.slot(place.part.global_coords(slot));
          for (std::size_t k = 0; k < entries; k++)
            ASSERT_EQ(mine[entries * slot + k], whole[entries * there + k]) << slot << " " << k;
        }
      });
    }
  });
}
