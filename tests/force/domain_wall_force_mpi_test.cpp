/// Forces of domain-wall fermions on several ranks, against differences of the action that they solve for together.

#include <mpi.h>

#include "force/domain_wall_actions.h"

#include "core/environment_support.h"

using namespace force_test;

namespace
{

double over_ranks(double x)
{
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

} // namespace

TEST(DomainWallForceOnRanks, IsTheDerivativeOfTheAction)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int grid[4] = {1, 1, ranks > 2 ? 2 : 1, ranks > 1 ? 2 : 1};
  test::Handler handler;
  const test::Session session(grid);
  const reference::Coords at = {0, 0, grid[2] > 1 ? rank / grid[3] : 0, rank % grid[3]};
  const reference::GaugeField links = links_on({4, 2, 4, 8}, 331);
  const reference::Part part(links.lattice, {grid[0], grid[1], grid[2], grid[3]}, at);
  for (const DomainWallFermions &of :
       {DomainWallFermions {.matpc = QUDA_MATPC_ODD_ODD, .ratio = true},
        DomainWallFermions {.type = QUDA_DOMAIN_WALL_DSLASH, .ratio = true},
        DomainWallFermions {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .Ls = 6, .plus = true},
        DomainWallFermions {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .matpc = QUDA_MATPC_ODD_ODD, .plus = false}}) {
    SCOPED_TRACE(of.name());
    DomainWallPseudofermion quarks(of, links.lattice, part, 332, over_ranks);
    quarks.action(links);
    const HostMomenta<double> force = quarks.force();
    const reference::GaugeField way = reference::random_momentum(links.lattice, 333);
    const double expected = reference::slope([&](const reference::GaugeField &u) { return quarks.action(u); },
                                             [&](double s) { return reference::updated(links, way, s, 20); }, 1.5e-3);
    const Along here(force, way, part);
    EXPECT_NEAR(over_ranks(here.product), expected,
                1e-8 * std::sqrt(over_ranks(here.of_force) * over_ranks(here.of_way) /
                                 (32.0 * static_cast<double>(links.lattice.volume()))));
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}
