/// A force of clover fermions on several ranks, against differences of the action that they solve for together.

#include "force/quark_actions.h"

#include "core/environment_support.h"
#include "support/grids.h"

using namespace force_test;

TEST(CloverForceOnRanks, IsTheDerivativeOfTheAction)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const int ranks = support::ranks();
  const support::Grid grid {1, 1, ranks > 2 ? 2 : 1, ranks > 1 ? 2 : 1};
  const test::Session session(grid.data());
  const reference::GaugeField links = links_on({4, 4, 4, 8}, 331);
  const reference::Part part = support::part_on(grid, links.lattice);
  for (const bool twisted : {false, true}) {
    Fermions of;
    of.fields = 3;
    of.multiplicity = 1;
    of.matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
    if (twisted) of.type = QUDA_TWISTED_CLOVER_DSLASH, of.mu = 0.2, of.epsilon = 0.1;
    Pseudofermion quarks(of, links.lattice, part, 332);
    quarks.action(links);
    const HostMomenta<double> force = quarks.force();
    const reference::GaugeField way = reference::random_momentum(links.lattice, 333);
    const double expected = reference::slope([&](const reference::GaugeField &u) { return quarks.action(u); },
                                             [&](double s) { return reference::updated(links, way, s, 20); }, 1.5e-3);
    const Along here(force, way, part);
    const auto sum = support::sum_over_ranks;
    EXPECT_NEAR(
        sum(here.product), expected,
        1e-8 * std::sqrt(sum(here.of_force) * sum(here.of_way) / (32.0 * static_cast<double>(links.lattice.volume()))));
  }
}
