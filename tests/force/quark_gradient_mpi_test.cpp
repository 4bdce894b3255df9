/// Gradients of Wilson-type operators on several ranks: the bits of one process, whatever the grid and the target.

#include <mpi.h>

#include <gtest/gtest.h>

#include <cstring>

#include "force/quark_pairs.h"
#include "support/grids.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;

TEST(QuarkGradientOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 4 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 4), extent(2, 2), extent(3, 2)});
    const reference::GaugeField links = reference::random_gauge(global, 91);
    const auto pairs = with_flavours(random_pairs(global, 4, 92), 2);
    std::optional<reference::QdpLinks<double>> first; // of the first target, in double
    support::on_targets([&] {
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const auto gradient = [&](const support::Place &place) {
          const LinkSet set = links_of(place, links, precision);
          QuarkGradient sum(set);
          sum.add(Pairs(place, pairs, precision, 2).view(), 0.7, {0.3, -0.4});
          return sum.take();
        };
        const auto whole = support::host_links(gradient(support::Place(global, make_single_communicator())));
        if (!first) first = whole;
        EXPECT_TRUE(precision == Precision::single || whole == *first) << "another target's bits";
        const support::Place place(global, comm);
        EXPECT_EQ(support::differing_links(gradient(place), place, whole), 0);
      }
    });
  });
}
