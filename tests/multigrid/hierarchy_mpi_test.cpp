/// Multigrid on several ranks: the bits of one process where aggregates are the same.

#include <limits>

#include <gtest/gtest.h>

#include "hierarchy_solves.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace hierarchy_solves;

namespace
{

/// blocks: of level 1 of three. dagger: of the adjoint.
/// The solution on all sites, steps, and low modes of the last level.
support::Results solution(const support::Place &place, const reference::GaugeField &gauge, int levels, int blocks = 1,
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
  DiracSolve how = gcr(&multigrid);
  how.system.dagger = dagger;
  ColorSpinorField b = support::native_spinors(place, Precision::double_, -1);
  ColorSpinorField x = support::native_spinors(place, Precision::double_, -1);
  support::set_from_host(
      b, reference::to_host<double>(reference::random_spinors(place.global, 40), place.global, place.part, -1));
  const SolveReport report = solved(*dirac, how, x, b);
  return support::Results(x, report.iterations, multigrid.report().back().low_modes);
}

} // namespace

TEST(MultigridOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {8, 8, 8, 16});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const int levels : {2, 3}) {
    SCOPED_TRACE(testing::Message() << levels << " levels");
    support::expect_bits_of_one_process(global,
                                        [&](const support::Place &place) { return solution(place, gauge, levels); });
  }
}

/// Last grids of which a rank holds 2^4 sites, which all read from others where all directions are cut, or less, so that
/// they are gathered.
TEST(MultigridOnRanks, SmallestGrids)
{
  choose_target();
  const reference::Lattice global(reference::Coords {8, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  support::expect_bits_of_one_process(global, [&](const support::Place &place) { return solution(place, gauge, 2); });
}

/// 8^4 sites, blocks of 2^4 and of 2^4 again, and a last grid of 2^4 sites in all, of which each of 4 ranks has four
/// aggregates; where they are in a row level 1 is gathered on two of them, and level 2 on one.
TEST(MultigridOnRanks, GathersTheLastGrids)
{
  choose_target();
  const reference::Lattice global(reference::Coords {8, 8, 8, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  for (const bool dagger : {false, true}) {
    SCOPED_TRACE(testing::Message() << "dagger " << dagger);
    support::expect_bits_of_one_process(
        global, [&](const support::Place &place) { return solution(place, gauge, 3, 2, dagger); },
        [&](const support::Grid &grid) {
          return grid[0] == 1 && grid[1] == 1 && (!dagger || grid[3] == support::ranks());
        });
  }
}

/// Links that are no numbers in one site of one rank: all ranks find it in the vectors or, where none are sought, in the
/// matrices of an aggregate or between two.
TEST(MultigridOnRanks, LinksThatAreNoNumbers)
{
  choose_target();
  const reference::Lattice global(reference::Coords {4, 4, 4, support::ranks() == 4 ? 8 : 16}); // four ranks gather it
  for (const int x : {0, 1}) {
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    gauge.U[0][global.slot({x, 2, 3, global.X[3] - 2})](0, 0) = std::numeric_limits<double>::quiet_NaN();
    support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      if (grid[3] != support::ranks()) return;
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
        const std::string told = failure([&] { Multigrid(WilsonFermions {0.12}, set, form); });
        EXPECT_TRUE(contains(told, sought ? "not finite" : "NaN") && !told.starts_with("alone")) << told;
      }
    });
  }
}
