/// Restriction and prolongation by blocks of sites on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "blocks.h"
#include "support/grids.h"

using namespace quda;

TEST(BlocksOnRanks, GiveTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global({8, 8, 4, 16});
  const reference::Coords block = {2, 2, 1, 2};
  constexpr int n = 3, rhs = 2;
  constexpr std::size_t rows = 2 * n * rhs;
  const blocks::Vectors vectors = blocks::random_vectors(global, n, 11), psi = blocks::random_vectors(global, rhs, 511);
  for (const Precision precision : {Precision::double_, Precision::half}) {
    struct Result {
      RowArray coarse;                       // (slot, right-hand side, row)
      std::vector<std::vector<double>> fine; // (right-hand side)(slot, number)
    };
    const auto transferred = [&](const blocks::Grids &grids) {
      const ColorSpinorField V = blocks::native(grids.fine, vectors, precision),
                             in = blocks::native(grids.fine, psi, blocks::of_fields(precision));
      ColorSpinorField coarse = grids.rows(n, in.precision(), rhs), out = ColorSpinorField(in.param());
      restrict_blocks(coarse, V, in, block.data());
      Result result;
      result.coarse = to_host(coarse, 2 * n);
      from_host(coarse, 2 * n, blocks::random_rows(grids.coarse, n, rhs, 77));
      prolong_blocks(out, V, coarse, block.data());
      for (int j = 0; j < rhs; j++) result.fine.push_back(support::host_array(out.columns(j, 1)));
      return result;
    };
    support::on_targets([&] {
      const blocks::Grids alone(global, block, make_single_communicator());
      const Result whole = transferred(alone);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        const blocks::Grids grids(global, block, comm);
        const Result mine = transferred(grids);
        for (std::size_t slot = 0; slot < grids.coarse.part.local.volume(); slot++) {
          const std::size_t there = grids.coarse.global.slot(grids.coarse.part.global_coords(slot));
          for (std::size_t k = 0; k < rows; k++)
            ASSERT_EQ(mine.coarse[rows * slot + k], whole.coarse[rows * there + k]) << slot << " " << k;
        }
        for (std::size_t slot = 0; slot < grids.fine.part.local.volume(); slot++) {
          const std::size_t there = global.slot(grids.fine.part.global_coords(slot));
          for (int j = 0; j < rhs; j++)
            for (std::size_t k = 0; k < 24; k++)
              ASSERT_EQ(mine.fine[j][24 * slot + k], whole.fine[j][24 * there + k]) << slot << " " << k;
        }
      });
    });
  }
}
