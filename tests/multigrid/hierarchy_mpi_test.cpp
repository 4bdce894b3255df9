/// Multigrid on several ranks: the bits of one process where aggregates are the same.

#include <limits>

#include <mpi.h>

#include <gtest/gtest.h>

#include "dirac/make_dirac.h"
#include "multigrid/multigrid.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

struct Solution {
  std::vector<double> x; // on all sites
  SolveReport report;
  std::vector<double> low_modes;
};

/// blocks: of level 1 of three. dagger: of the adjoint.
Solution solution(const support::Place &place, const reference::GaugeField &gauge, int levels, int blocks = 1,
                  bool dagger = false)
{
  const GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
  const LinkSet set(links);
  const DiracParam param = TwistedFermions {0.13, {.mu = 0.05}};
  const auto dirac = make_dirac(param, set, {Precision::double_, Reconstruct::none});
  MultigridForm form;
  form.levels.resize(static_cast<std::size_t>(levels));
  for (MultigridLevel &level : form.levels) {
    for (int &extent : level.block) extent = 2;
    level.vectors = 4;
    level.setup.steps = 8;
    level.smoother.after = 4;
  }
  if (levels > 2)
    for (int d = 0; d < 4; d++) form.levels[1].block[d] = d == 3 ? 2 : blocks;
  form.verify = blocks > 1;
  LowModeForm low;
  low.options.method = levels > 2 ? EigenMethod::block_tr_lanczos : EigenMethod::tr_lanczos;
  low.options.pairs = low.options.search = 4;
  low.options.space = 12;
  low.options.block = 2;
  low.options.tol = 1e-2;
  form.levels.back().low_modes = low;
  Multigrid multigrid(param, set, form);
  DiracSolve how;
  how.prepared = MatPC::even_even;
  how.system.dagger = dagger;
  how.method = Method::gcr;
  how.sloppy = LinkStorage {Precision::single, Reconstruct::none};
  how.tolerance.relative = 1e-10;
  how.limits = {.iterations = 1000, .reliable_delta = 1e-4};
  how.preconditioner = &multigrid;
  ColorSpinorField b = support::native_spinors(place, Precision::double_, -1);
  ColorSpinorField x = support::native_spinors(place, Precision::double_, -1);
  support::set_from_host(
      b, reference::to_host<double>(reference::random_spinors(place.global, 40), place.global, place.part, -1));
  Solution s;
  s.report = solve(*dirac, how, x, b);
  EXPECT_TRUE(s.report.converged());
  s.x = support::host_array(x);
  s.low_modes = multigrid.report().back().low_modes;
  return s;
}

/// The numbers that a place holds of a result on the whole lattice.
std::vector<double> part_of(const std::vector<double> &whole, const support::Place &place)
{
  std::vector<double> mine;
  for (std::size_t slot = 0; slot < 2 * place.part.local.half(); slot++) {
    const std::size_t at = place.global.slot(place.part.global_coords(slot));
    mine.insert(mine.end(), whole.begin() + 24 * at, whole.begin() + 24 * (at + 1));
  }
  return mine;
}

} // namespace

TEST(MultigridOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global(reference::Coords {8, 8, 8, 16});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const int levels : {2, 3}) {
    const Solution whole = solution(support::Place(global, make_single_communicator()), gauge, levels);
    support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << ", " << levels
                                      << " levels");
      const support::Place place(global, comm);
      const Solution here = solution(place, gauge, levels);
      EXPECT_TRUE(here.x == part_of(whole.x, place));
      EXPECT_EQ(here.report.iterations, whole.report.iterations);
      EXPECT_EQ(here.low_modes, whole.low_modes);
    });
  }
}

/// Last grids of which a rank holds 2^4 sites, which all read from others where all directions are cut, or less, so that
/// they are gathered.
TEST(MultigridOnRanks, SmallestGrids)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const reference::Lattice global(reference::Coords {8, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  const Solution whole = solution(support::Place(global, make_single_communicator()), gauge, 2);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const support::Place place(global, comm);
    const Solution here = solution(place, gauge, 2);
    EXPECT_TRUE(here.x == part_of(whole.x, place));
    EXPECT_EQ(here.report.iterations, whole.report.iterations);
    EXPECT_EQ(here.low_modes, whole.low_modes);
  });
}

/// 8^4 sites, blocks of 2^4 and of 2^4 again, and a last grid of 2^4 sites in all, of which each of 4 ranks has four
/// aggregates; where they are in a row level 1 is gathered on two of them, and level 2 on one.
TEST(MultigridOnRanks, GathersTheLastGrids)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const reference::Lattice global(reference::Coords {8, 8, 8, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  for (const bool dagger : {false, true}) {
    const Solution whole = solution(support::Place(global, make_single_communicator()), gauge, 3, 2, dagger);
    support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      if (grid[0] > 1 || grid[1] > 1 || (dagger && grid[3] < ranks)) return;
      SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << ", dagger " << dagger);
      const support::Place place(global, comm);
      const Solution here = solution(place, gauge, 3, 2, dagger);
      EXPECT_TRUE(here.x == part_of(whole.x, place));
      EXPECT_EQ(here.report.iterations, whole.report.iterations);
      EXPECT_EQ(here.low_modes, whole.low_modes);
    });
  }
}

/// Links that are no numbers in one site of one rank: all ranks find it in the vectors or, where none are sought, in the
/// matrices of an aggregate or between two.
TEST(MultigridOnRanks, LinksThatAreNoNumbers)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const reference::Lattice global(reference::Coords {4, 4, 4, ranks == 4 ? 8 : 16}); // four ranks gather it
  for (const int x : {0, 1}) {
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    gauge.U[0][global.slot({x, 2, 3, global.X[3] - 2})](0, 0) = std::numeric_limits<double>::quiet_NaN();
    support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      if (grid[3] != ranks) return;
      const support::Place place(global, comm);
      const GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
      const LinkSet set(links);
      for (const bool sought : {true, false}) {
        SCOPED_TRACE(testing::Message() << "x " << x << ", vectors sought " << sought);
        MultigridForm form;
        form.levels.resize(2);
        for (MultigridLevel &level : form.levels) {
          for (int &extent : level.block) extent = 2;
          level.vectors = 4;
          level.setup.steps = 4;
          level.setup.rounds = sought ? 1 : 0;
        }
        std::string told;
        try {
          const Multigrid multigrid(WilsonFermions {0.12}, set, form);
        } catch (const FoundTogether &error) { // what guards of the interface let all ranks return from
          told = error.what();
        }
        EXPECT_NE(told.find(sought ? "not finite" : "NaN"), std::string::npos) << told;
      }
    });
  }
}
