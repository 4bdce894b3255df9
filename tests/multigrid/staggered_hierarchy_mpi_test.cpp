/// Multigrid of staggered quarks on several ranks: the bits of one process where aggregates are the same.

#include <gtest/gtest.h>

#include "hierarchy_solves.h"
#include "staggered_case.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;
using namespace hierarchy_solves;
using namespace staggered_case;

namespace
{

/// The solution on all sites, and steps.
support::Results solution(const Case &on, bool long_links)
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
  const auto dirac = on.dirac(mass);
  const ColorSpinorField b = dirac_test::random_field(dirac->shape(-1, 1), on.place, 40);
  ColorSpinorField x(b.param());
  const SolveReport report = solved(*dirac, gcr(&multigrid, {}, 1e-8), x, b);
  return support::Results(x, report.iterations);
}

} // namespace

TEST(StaggeredMultigridOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {4, 8, 8, 16});
  const reference::GaugeField near = phased(reference::random_gauge(global, 11, reference::Kind::weak)),
                              far = reference::random_unitary_long_links(global, 12);
  choose_target();
  for (const bool long_links : {false, true})
    support::expect_bits_of_one_process(
        global,
        [&](const support::Place &place) {
          return solution(Case(near, &far, place.lattice->shared_communicator()), long_links);
        },
        [&](const support::Grid &grid) {
          if (support::ranks() == 4 && (grid[3] == 4) != long_links) return false; // there the last grid is gathered
          for (std::size_t d = 0; d < 4; d++)
            if (global.X[d] / grid[d] % 4) return false; // hypercubes odd in number
          return true;
        });
}
