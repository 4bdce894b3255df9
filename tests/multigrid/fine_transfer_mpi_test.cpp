/// The transfer to a coarse grid on several ranks: the bits of one process, whatever the grid, and one error on all ranks.

#include "multigrid/fine_transfer.h"

#include <mpi.h>

#include <gtest/gtest.h>

#include "blocks.h"
#include "fields/refused.h"
#include "support/grids.h"

using namespace quda;

namespace
{

const reference::Lattice global({8, 8, 8, 16});
const reference::Coords block = {2, 2, 2, 2};
constexpr int n = 3;

int number_of_ranks()
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

} // namespace

TEST(FineTransferOnRanks, HasTheBitsOfOneProcess)
{
  const blocks::Vectors vectors = blocks::random_vectors(global, n, 11);
  const auto orthonormal = [&](const blocks::Grids &grids) {
    const FineTransfer transfer(blocks::native(grids.fine, vectors, Precision::single), block.data(),
                                grids.coarse.lattice, Precision::half);
    std::vector<std::vector<double>> V;
    for (int i = 0; i < n; i++) V.push_back(support::host_array(transfer.V().columns(i, 1)));
    return V;
  };
  support::on_targets([&] {
    const auto whole = orthonormal(blocks::Grids(global, block, make_single_communicator()));
    support::on_grids(number_of_ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
      const blocks::Grids grids(global, block, comm);
      const auto mine = orthonormal(grids);
      for (int i = 0; i < n; i++)
        for (std::size_t k = 0; k < mine[i].size(); k++)
          ASSERT_EQ(mine[i][k], whole[i][24 * global.slot(grids.fine.part.global_coords(k / 24)) + k % 24]) << k;
    });
  });
}

TEST(FineTransferOnRanks, RefusesOnAllRanksAlike)
{
  blocks::Vectors vectors = blocks::random_vectors(global, n, 11);
  vectors[2][global.slot({7, 6, 7, 15})](2, 1) = INFINITY; // two faults, on two ranks of most grids
  for (std::size_t slot = 0; slot < global.volume(); slot++) {
    const reference::Coords x = global.coords(slot);
    if (x[0] / 2 == 0 && x[1] / 2 == 1 && x[2] / 2 == 1 && x[3] / 2 == 1) vectors[1][slot].setZero();
  }
  support::on_grids(number_of_ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const blocks::Grids grids(global, block, comm);
    const ColorSpinorField B = blocks::native(grids.fine, vectors, Precision::double_);
    EXPECT_TRUE(contains(refused(ErrorKind::bad_argument,
                                 [&] { FineTransfer(B, block.data(), grids.coarse.lattice, Precision::single); }),
                         "test vector 1 is zero in aggregate 0 1 1 1, chirality 0"));
  });
}
