/// The transfer to a coarse grid on several ranks: the bits of one process, whatever the grid, and one error on all ranks.

#include "multigrid/fine_transfer.h"

#include <gtest/gtest.h>

#include "blocks.h"
#include "support/grids.h"
#include "support/refused.h"

using namespace quda;

namespace
{

const reference::Lattice global({8, 8, 8, 16});
const reference::Coords block = {2, 2, 2, 2};
constexpr int n = 3;

} // namespace

TEST(FineTransferOnRanks, HasTheBitsOfOneProcess)
{
  const blocks::Vectors vectors = blocks::random_vectors(global, n, 11);
  support::on_targets([&] {
    support::expect_bits_of_one_process(global, [&](const support::Place &place) {
      const blocks::Grids grids(global, block, place.lattice->shared_communicator());
      const FineTransfer transfer(blocks::native(grids.fine, vectors, Precision::single), block.data(),
                                  grids.coarse.lattice, Precision::half);
      return support::Results(transfer.V());
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
  support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
    const blocks::Grids grids(global, block, comm);
    const ColorSpinorField B = blocks::native(grids.fine, vectors, Precision::double_);
    expect_refused(ErrorKind::bad_argument, {"test vector 1 is zero in aggregate 0 1 1 1, chirality 0"},
                   [&] { FineTransfer(B, block.data(), grids.coarse.lattice, Precision::single); });
  });
}
