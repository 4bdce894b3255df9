/// Forces of domain-wall fermions on several ranks, against differences of the action that they solve for together.

#include "force/domain_wall_actions.h"

#include "core/environment_support.h"
#include "support/grids.h"

using namespace force_test;

TEST(DomainWallForceOnRanks, IsTheDerivativeOfTheAction)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const int ranks = support::ranks();
  const support::Grid grid {1, 1, ranks > 2 ? 2 : 1, ranks > 1 ? 2 : 1};
  const test::Session session(grid.data());
  const reference::GaugeField links = links_on({4, 2, 4, 8}, 331);
  const reference::Part part = support::part_on(grid, links.lattice);
  for (const DomainWallFermions &of :
       {DomainWallFermions {.matpc = QUDA_MATPC_ODD_ODD, .ratio = true},
        DomainWallFermions {.type = QUDA_DOMAIN_WALL_DSLASH, .ratio = true},
        DomainWallFermions {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .Ls = 6, .plus = true},
        DomainWallFermions {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .matpc = QUDA_MATPC_ODD_ODD, .plus = false}}) {
    SCOPED_TRACE(of.name());
    DomainWallPseudofermion quarks(of, links.lattice, part, 332, support::sum_over_ranks);
    quarks.action(links);
    const HostMomenta<double> force = quarks.force();
    const reference::GaugeField way = reference::random_momentum(links.lattice, 333);
    const double expected = reference::slope([&](const reference::GaugeField &u) { return quarks.action(u); },
                                             [&](double s) { return reference::updated(links, way, s, 20); }, 1.5e-3);
    const Along here(force, way, part);
    EXPECT_NEAR(support::sum_over_ranks(here.product), expected,
                1e-8 * std::sqrt(support::sum_over_ranks(here.of_force) * support::sum_over_ranks(here.of_way) /
                                 (32.0 * static_cast<double>(links.lattice.volume()))));
  }
}
