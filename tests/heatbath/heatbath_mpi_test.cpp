/// Random fields and sweeps on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "heatbath/fields.h"
#include "ops/gauge/plaquette.h"
#include "ops/halo/gauge_border.h"
#include "ops/random/gaussian.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

namespace
{

const reference::Lattice global({8, 4, 4, 16});

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// What `make` does to links on the grid, against what it does in one process.
template <class Make> void expect_the_same(const support::LinkForm &form, const Make &make)
{
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, form.t_boundary);
  const support::Place whole(global, make_single_communicator());
  GaugeField alone = support::native_links(whole, gauge, form);
  make(alone);
  const reference::GaugeField expected = heatbath_tests::links_of(alone, whole);
  support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const support::Place place(global, comm);
    GaugeField links = support::native_links(place, gauge, form);
    make(links);
    const auto mine = heatbath_tests::host_links(links), right = reference::to_qdp<double>(expected, place.part);
    for (int mu = 0; mu < 4; mu++) EXPECT_EQ(mine[mu], right[mu]) << mu;
  });
}

} // namespace

TEST(HeatbathOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        expect_the_same({precision, reconstruct, 1, precision == Precision::double_ ? -1 : 1}, [](GaugeField &links) {
          heatbath(links, {5.7, 1, 1, 2, 4000000000u, 99});
        });
    for (const Precision precision : {Precision::double_, Precision::single})
      expect_the_same({precision, Reconstruct::r12, 1, -1}, [](GaugeField &links) {
        heatbath(links, {5.7, 1, 1, 1, 4000000000u, 99, -1.0 / 12, 1.5});
      });
  });
}

TEST(RandomFieldsOnRanks, GiveTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
      const support::LinkForm form {Precision::double_, reconstruct, 1, -1};
      expect_the_same(form, [](GaugeField &links) { gaussian_links(links, 5, 0.5); });
      expect_the_same(form, [](GaugeField &links) { hot_start(links, 5); });
      expect_the_same(form, [](GaugeField &links) { cold_start(links); });
    }
  });
}

/// A border filled part by part is the border filled at once.
TEST(Border, ByParityAndDirection)
{
  support::on_targets([] {
    support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      const support::Place place(global, comm);
      const auto before = support::native_links(place, reference::random_gauge(global, 1), {});
      const auto after = support::native_links(place, reference::random_gauge(global, 2), {});
      GaugeField links = extended(before, 2);
      links = after; // its border is of before
      for (int parity = 0; parity < 2; parity++)
        for (int mu = 0; mu < 4; mu++) exchange_border(links, parity, mu);
      const GaugeField right = extended(after, 2);
      EXPECT_EQ(plaquette(links).mean(), plaquette(right).mean());
      EXPECT_EQ(plaquette(links).spatial, plaquette(right).spatial);
    });
  });
}
