/// Restriction and prolongation by blocks of sites on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "blocks.h"
#include "support/grids.h"

using namespace quda;

TEST(BlocksOnRanks, GiveTheBitsOfOneProcess)
{
  const reference::Lattice global({8, 8, 4, 16});
  const reference::Coords block = {2, 2, 1, 2};
  constexpr int n = 3, rhs = 2;
  const blocks::Vectors vectors = blocks::random_vectors(global, n, 11), psi = blocks::random_vectors(global, rhs, 511);
  for (const Precision precision : {Precision::double_, Precision::half}) {
    const auto transferred = [&](const support::Place &place) {
      const blocks::Grids grids(global, block, place.lattice->shared_communicator());
      const ColorSpinorField V = blocks::native(grids.fine, vectors, precision),
                             in = blocks::native(grids.fine, psi, blocks::of_fields(precision));
      ColorSpinorField coarse = grids.rows(n, in.precision(), rhs), out = ColorSpinorField(in.param());
      restrict_blocks(coarse, V, in, block.data());
      support::OfSites restricted = support::of_rows(to_host(coarse, 2 * n));
      restricted.part = grids.coarse.part;
      from_host(coarse, 2 * n, blocks::random_rows(grids.coarse, n, rhs, 77));
      prolong_blocks(out, V, coarse, block.data());
      return support::Results(restricted, out);
    };
    support::on_targets([&] { support::expect_bits_of_one_process(global, transferred); });
  }
}
