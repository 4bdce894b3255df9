/// Charge, energy, density and Polyakov loop on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "ops/gauge/field_strength.h"
#include "ops/gauge/polyakov.h"
#include "ops/gauge/project.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

TEST(ObservablesOnRanks, GiveTheBitsOfOneProcess)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 61);
    reference::set_up_links(gauge, 1, -1);
    for (const support::LinkForm &form : {support::LinkForm {Precision::double_, Reconstruct::none, 1, -1},
                                          support::LinkForm {Precision::single, Reconstruct::r12, 1, -1}}) {
      const bool with_density = form.precision == Precision::double_;
      support::expect_bits_of_one_process(global, [&](const support::Place &place) {
        const GaugeField links = support::native_links(place, gauge, form), with_border = extended(links, 2);
        const auto loop = polyakov_loop(links);
        EXPECT_EQ(polyakov_loop(with_border), loop);
        support::OfSites density {std::vector<double>(place.part.local.volume())};
        const bool alone = place.lattice->communicator().size() == 1; // one process has no border
        const ChargeAndEnergy here =
            charge_and_energy(alone ? links : with_border, with_density ? density.numbers.data() : nullptr);
        return support::Results(loop, here.charge, here.spatial_energy, here.temporal_energy, density);
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
    support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
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
    support::expect_bits_of_one_process(global, [&](const support::Place &place) {
      GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
      EXPECT_EQ(project_su3(links, links, 2e-15), 0);
      return links;
    });
  });
}
