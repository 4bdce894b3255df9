/// Fat, long and unitarised links on several ranks: the bits of one process whatever the grid, down to a local extent
/// of two.

#include <mpi.h>

#include <gtest/gtest.h>

#include "ops/links/fat_links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

/// Fat links with and without levels, long ones, unitary parts.
std::vector<GaugeField> made(const support::Place &place, const reference::GaugeField &gauge, Precision precision)
{
  LinkSet links;
  links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, {precision})));
  std::vector<GaugeField> all;
  all.push_back(fat_links(links, {0.7, 0.1, 0.05, 0.02, -0.1}));
  all.push_back(fat_links(links, {0.7, -0.1}));
  all.push_back(fat_links(links, {0.125}));
  all.push_back(long_links(links, -1. / 24));
  GaugeField unitary(all.front().param());
  EXPECT_EQ(unitary_links(unitary, all.front(), false), 0);
  all.push_back(std::move(unitary));
  return all;
}

} // namespace

TEST(FatLinksOnRanks, GiveTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global({4, 4, 4, ranks == 4 ? 8 : 4});
  const reference::GaugeField gauge = reference::random_gauge(global, 51);
  std::vector<reference::QdpLinks<double>> first; // of the first target, in double
  support::on_targets([&] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      std::vector<reference::QdpLinks<double>> whole;
      for (const GaugeField &links : made(support::Place(global, make_single_communicator()), gauge, precision))
        whole.push_back(support::host_links(links));
      if (precision == Precision::double_ && first.empty()) first = whole;
      EXPECT_TRUE(precision == Precision::single || whole == first) << "another target's bits";
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        const support::Place place(global, comm);
        const std::vector<GaugeField> here = made(place, gauge, precision);
        for (std::size_t i = 0; i < here.size(); i++)
          EXPECT_EQ(support::differing_links(here[i], place, whole[i]), 0) << "field " << i;
      });
    }
  });
}
