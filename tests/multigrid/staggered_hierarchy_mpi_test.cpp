/// Multigrid of staggered quarks on several ranks: the bits of one process where aggregates are the same.

#include <mpi.h>

#include <gtest/gtest.h>

#include "multigrid/multigrid.h"
#include "solvers/dirac_solver.h"
#include "staggered_case.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;
using namespace staggered_case;

namespace
{

struct Solution {
  std::vector<double> x; // on all sites
  SolveReport report;
};

Solution solution(const Case &on, bool long_links)
{
  constexpr double mass = 0.3;
  MultigridForm form;
  form.kaehler_dirac = true;
  form.long_links = long_links;
  form.levels.resize(3);
  for (MultigridLevel &level : form.levels) {
    for (int d = 0; d < 4; d++) level.block[d] = d == 3 ? 2 : 1;
    level.vectors = 4;
    level.setup.steps = 4;
    level.smoother.after = 4;
  }
  if (long_links) form.levels.back().solve.method = Method::cgnr; // which asks for the adjoint
  const DiracParam param = on.param(mass);
  Multigrid multigrid(param, on.links, form);
  DiracSolve how;
  how.method = Method::gcr;
  how.sloppy = LinkStorage {Precision::single, Reconstruct::none};
  how.tolerance.relative = 1e-8;
  how.limits = {.iterations = 1000, .reliable_delta = 1e-4};
  how.preconditioner = &multigrid;
  const auto dirac = on.dirac(mass);
  ColorSpinorField b(dirac->shape(-1, 1)), x(b.param());
  const reference::Lattice &global = on.place.global;
  support::set_from_host(b, reference::to_host<double, 1>(reference::spins_of<1>(reference::random_spinors(global, 40)),
                                                          global, on.place.part, -1));
  Solution s;
  s.report = solve(*dirac, how, x, b);
  EXPECT_TRUE(s.report.converged());
  s.x = support::host_array(x);
  return s;
}

} // namespace

TEST(StaggeredMultigridOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global(reference::Coords {4, 8, 8, 16});
  const reference::GaugeField near = phased(reference::random_gauge(global, 11, reference::Kind::weak)),
                              far = reference::random_unitary_long_links(global, 12);
  choose_target();
  for (const bool long_links : {false, true}) {
    const Solution whole = solution(Case(near, &far), long_links);
    support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      if (ranks == 4 && (grid[3] == 4) != long_links) return; // there the last grid is gathered
      for (int d = 0; d < 4; d++)
        if (global.X[static_cast<std::size_t>(d)] / grid[static_cast<std::size_t>(d)] % 4)
          return; // hypercubes odd in number
      SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
      const Case on(near, &far, comm);
      const Solution here = solution(on, long_links);
      std::vector<double> mine;
      for (std::size_t slot = 0; slot < 2 * on.place.part.local.half(); slot++) {
        const auto at = whole.x.begin() + static_cast<long>(6 * global.slot(on.place.part.global_coords(slot)));
        mine.insert(mine.end(), at, at + 6);
      }
      EXPECT_TRUE(here.x == mine);
      EXPECT_EQ(here.report.iterations, whole.report.iterations);
    });
  }
}
