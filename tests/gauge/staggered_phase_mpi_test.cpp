/// Staggered phases on ranks: the boundary is the last rank's in time, all other signs are each rank's own.

#include <gtest/gtest.h>

#include "ops/gauge/staggered_phase.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

TEST(StaggeredPhaseOnRanks, AnyGridGivesTheSameLinks)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 4, 16});
    const reference::GaugeField gauge = reference::random_gauge(global, 63);
    const auto right = reference::staggered(gauge, reference::StaggeredPhases::tifr, -1);
    support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      const support::Place place(global, comm);
      GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
      links.set_phases({StaggeredPhase::tifr, false, 0});
      EXPECT_EQ(support::host_links(with_staggered_phases(links)), reference::to_qdp<double>(right, place.part));
    });
  });
}
