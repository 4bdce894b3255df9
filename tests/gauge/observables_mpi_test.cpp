/// Charge, energy, density and Polyakov loop on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "ops/gauge/field_strength.h"
#include "ops/gauge/polyakov.h"
#include "ops/gauge/project.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

} // namespace

TEST(ObservablesOnRanks, GiveTheBitsOfOneProcess)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 61);
    reference::set_up_links(gauge, 1, -1);
    for (const support::LinkForm &form : {support::LinkForm {Precision::double_, Reconstruct::none, 1, -1},
                                          support::LinkForm {Precision::single, Reconstruct::r12, 1, -1}}) {
      const GaugeField whole = support::native_links(support::Place(global, make_single_communicator()), gauge, form);
      std::vector<double> density(global.volume());
      const bool with_density = form.precision == Precision::double_;
      const ChargeAndEnergy alone = charge_and_energy(whole, with_density ? density.data() : nullptr);
      const auto loop = polyakov_loop(whole);
      support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        const support::Place place(global, comm);
        const GaugeField links = support::native_links(place, gauge, form);
        EXPECT_EQ(polyakov_loop(links), loop);
        const GaugeField with_border = extended(links, 2);
        EXPECT_EQ(polyakov_loop(with_border), loop);
        std::vector<double> mine(place.part.local.volume());
        const ChargeAndEnergy here = charge_and_energy(with_border, with_density ? mine.data() : nullptr);
        EXPECT_EQ(here.charge, alone.charge);
        EXPECT_EQ(here.spatial_energy, alone.spatial_energy);
        EXPECT_EQ(here.temporal_energy, alone.temporal_energy);
        for (std::size_t slot = 0; with_density && slot < mine.size(); slot++)
          ASSERT_EQ(mine[slot], density[global.slot(place.part.global_coords(slot))]);
      });
    }
  });
}

TEST(ProjectOnRanks, CountsFailuresOfAllRanks)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 62);
    for (const std::size_t slot : {std::size_t(0), global.volume() / 3, global.volume() - 1})
      gauge.U[1][slot].setZero();
    support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      GaugeField links = support::native_links(support::Place(global, comm), gauge, {});
      EXPECT_EQ(project_su3(links, links, 2e-15), 3);
    });
  });
}

TEST(ProjectOnRanks, KeepsBoundarySigns)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 63);
    reference::set_up_links(gauge, 1, -1);
    const support::LinkForm form {Precision::double_, Reconstruct::none, 1, -1};
    const auto projected = [&](const support::Place &place) {
      GaugeField links = support::native_links(place, gauge, form);
      EXPECT_EQ(project_su3(links, links, 2e-15), 0);
      return links;
    };
    const reference::QdpLinks<double> alone =
        support::host_links(projected(support::Place(global, make_single_communicator())));
    support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      const support::Place place(global, comm);
      EXPECT_EQ(support::differing_links(projected(place), place, alone), 0);
    });
  });
}
