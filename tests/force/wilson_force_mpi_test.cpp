/// A force of clover fermions on several ranks, against differences of the action that they solve for together.

#include <mpi.h>

#include "force/quark_actions.h"

#include "core/environment_support.h"
#include "support/grids.h"

using namespace force_test;

TEST(CloverForceOnRanks, IsTheDerivativeOfTheAction)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int grid[4] = {1, 1, ranks > 2 ? 2 : 1, ranks > 1 ? 2 : 1};
  test::Handler handler;
  const test::Session session(grid);
  const reference::Coords at = {0, 0, grid[2] > 1 ? rank / grid[3] : 0, rank % grid[3]};
  const reference::GaugeField links = links_on({4, 4, 4, 8}, 331);
  const reference::Part part(links.lattice, {grid[0], grid[1], grid[2], grid[3]}, at);
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
    double sums[3] = {here.product, here.of_force, here.of_way};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_NEAR(sums[0], expected,
                1e-8 * std::sqrt(sums[1] * sums[2] / (32.0 * static_cast<double>(links.lattice.volume()))));
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}
