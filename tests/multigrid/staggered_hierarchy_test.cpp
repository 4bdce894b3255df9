/// Hierarchies of staggered quarks: invariants, and solves that they make shorter.

#include <cmath>

#include "hierarchy_solves.h"
#include "ops/blas/block.h"
#include "staggered_case.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace hierarchy_solves;
using namespace staggered_case;

namespace
{

/// Of 4 4 4 8 sites: hypercubes 2 2 2 4, then 2 2 2 2 aggregates.
MultigridForm hierarchy(int levels)
{
  MultigridForm form;
  form.kaehler_dirac = true;
  form.levels.resize(static_cast<std::size_t>(levels));
  form.levels[0].smoother.after = 4;
  for (MultigridLevel &level : form.levels) {
    level.vectors = 24;
    for (int d = 0; d < 4; d++) level.block[d] = d == 3 ? 2 : 1;
    level.setup.steps = 60;
    level.solve.tolerance = 0.1;
    level.solve.steps = 16;
  }
  form.verify = true;
  return form;
}

/// Without preparation.
DiracSolve on_all_sites() { return gcr(nullptr, {}); }

SolveReport solve_with(Multigrid *multigrid, const Case &on, double mass, const DiracSolve &wish)
{
  DiracSolve how = wish;
  how.preconditioner = multigrid;
  const auto dirac = on.dirac(mass);
  const ColorSpinorField b = dirac_test::random_field(dirac->shape(-1, 1), on.place, 7);
  ColorSpinorField x(b.param());
  const SolveReport report = solved(*dirac, how, x, b);
  EXPECT_LT(residual(*dirac, x, b), 1e-9);
  return report;
}

/// Steps of conjugate gradients.
int plain_steps(const Case &on, double mass)
{
  DiracSolve how = on_all_sites();
  how.method = Method::cg;
  how.prepared = MatPC::even_even;
  how.limits.iterations = 2000;
  return solve_with(nullptr, on, mass, how).iterations;
}

constexpr double light = 0.02;

} // namespace

/// Quenched links: naive quarks, and those of HISQ, whose long links the coarse grids leave out. Invariants of each level
/// are measured by the hierarchy itself.
TEST(StaggeredMultigrid, TakesFewerStepsThanConjugateGradients)
{
  const reference::GaugeField gauge = quenched_links();
  const Hisq hisq(gauge);
  for (const bool improved : {false, true}) {
    const Case on(improved ? hisq.fat : phased(gauge), improved ? &hisq.straight : nullptr);
    for (const double mass : {0.2, light}) {
      const int plain = plain_steps(on, mass);
      for (const int levels : {2, 3})
        for (const Precision precision : {Precision::double_, Precision::single}) {
          SCOPED_TRACE(testing::Message() << (improved ? "HISQ" : "naive") << ", mass " << mass << ", " << levels
                                          << " levels, " << bytes_of(precision) << " bytes");
          if (precision == Precision::double_ && (levels == 2 || mass > light || !improved)) continue;
          MultigridForm form = hierarchy(levels);
          form.precision = form.levels[1].stored = form.smoothing.precision = precision;
          if (!improved) // whose level 1 takes more than 16 steps for a tenth
            for (MultigridLevel &level : form.levels) level.solve.steps = 64;
          Multigrid multigrid(on.param(mass), on.links, form);
          const int steps = solve_with(&multigrid, on, mass, on_all_sites()).iterations;
          EXPECT_LT(4 * steps, plain);
          EXPECT_LT(steps, improved ? 18 : 45);
          EXPECT_GT(steps, 3);
        }
    }
  }
}

/// Level 1 of naive quarks is their operator by other names: where its systems are solved, little is left for level 0. What
/// is solved there to a tenth is not so here: residuals there are X^-1 times those here, and X of rough links has small
/// eigenvalues.
TEST(StaggeredMultigrid, ASolvedSecondLevelLeavesLittle)
{
  const Case on(phased(quenched_links()), nullptr);
  MultigridForm form = hierarchy(2);
  form.precision = form.smoothing.precision = Precision::double_;
  form.levels[1].solve = {.tolerance = 1e-7, .steps = 2000};
  Multigrid multigrid(on.param(light), on.links, form);
  EXPECT_LE(solve_with(&multigrid, on, light, on_all_sites()).iterations, 3);
}

/// Long links on the coarse grids, too: their operators are P^dag K P where aggregates are of two hypercubes and more, and
/// the steps are fewer than without them.
TEST(StaggeredMultigrid, LongLinksBelowTheFinestLevel)
{
  const Hisq hisq(quenched_links());
  const Case on(hisq.fat, &hisq.straight);
  for (const int levels : {2, 3}) {
    int steps[2];
    for (const bool with : {false, true}) {
      MultigridForm form = hierarchy(levels);
      form.long_links = with;
      for (MultigridLevel &level : form.levels) level.solve = {.tolerance = 0.01, .steps = 200};
      Multigrid multigrid(on.param(light), on.links, form);
      steps[with] = solve_with(&multigrid, on, light, on_all_sites()).iterations;
    }
    std::printf("  %d levels: %d steps without, %d with long links\n", levels, steps[0], steps[1]);
    EXPECT_LT(steps[1], steps[0]);
  }
}

/// The operator below level 1 is that of the long links' K, to rounding, its adjoint too, for aggregates of two hypercubes.
TEST(StaggeredMultigrid, LongLinksAreInTheProductOfAllGrids)
{
  const reference::Lattice global({8, 8, 8, 8});
  const reference::GaugeField near = phased(reference::random_gauge(global, 11, reference::Kind::weak)),
                              far = reference::random_unitary_long_links(global, 12);
  const Case on(near, &far);
  MultigridForm form = hierarchy(3);
  form.precision = form.levels[1].stored = form.smoothing.precision = Precision::double_;
  form.long_links = true;
  for (int &extent : form.levels[1].block) extent = 2;
  form.levels[1].vectors = 4;
  form.levels[1].setup.steps = 2;
  Multigrid multigrid(on.param(0.3), on.links, form); // which measures it
  EXPECT_EQ(multigrid.report()[2].rows, 8);
}

/// Free quarks: some steps whatever the mass.
TEST(StaggeredMultigrid, OfFreeQuarks)
{
  const Case on(phased(free_links({8, 8, 8, 8})), nullptr);
  for (const double mass : {0.1, 0.01}) {
    MultigridForm form = hierarchy(3);
    for (int &extent : form.levels[1].block) extent = 2;
    form.levels[1].setup.steps = 20;
    form.levels[1].vectors = 12;
    Multigrid multigrid(on.param(mass), on.links, form);
    EXPECT_LT(solve_with(&multigrid, on, mass, on_all_sites()).iterations, 12);
  }
}

/// Smoothers and matrices of 16 bits.
TEST(StaggeredMultigrid, InHalfPrecision)
{
  const Hisq hisq(quenched_links());
  const Case on(hisq.fat, &hisq.straight);
  MultigridForm form = hierarchy(3);
  form.smoothing.precision = form.levels[1].stored = Precision::half;
  Multigrid multigrid(on.param(light), on.links, form);
  EXPECT_LT(solve_with(&multigrid, on, light, on_all_sites()).iterations, 18);
}

/// The same solution by way of its own parity and of all sites; both signs of the mass, of which MILC has the other one; a
/// right-hand side among others has the solution that it has alone.
TEST(StaggeredMultigrid, ServesEveryFormOfTheSystem)
{
  const Hisq hisq(quenched_links());
  const Case on(hisq.fat, &hisq.straight);
  for (const double mass : {0.1, -0.1}) {
    const auto dirac = on.dirac(mass);
    const ColorSpinorField b = dirac_test::random_field(dirac->shape(-1, 2), on.place, 3);
    for (const MatPC own : {MatPC::even_even, MatPC::odd_odd}) {
      MultigridForm form = hierarchy(3);
      form.matpc = own;
      Multigrid multigrid(on.param(mass), on.links, form);
      const MatPC other = own == MatPC::even_even ? MatPC::odd_odd : MatPC::even_even;
      expect_refused(ErrorKind::unsupported, {"parity"}, [&] { multigrid.preconditioner({.matpc = other}); });
      for (const std::optional<MatPC> outer : {std::optional<MatPC>(own), {}}) {
        SCOPED_TRACE(testing::Message() << "mass " << mass << ", levels on parity " << parity_of(own) << ", outer form "
                                        << (outer ? static_cast<int>(*outer) : -1));
        DiracSolve how = on_all_sites();
        how.prepared = outer;
        how.preconditioner = &multigrid;
        ColorSpinorField x(b.param());
        const SolveReport report = solved(*dirac, how, x, b);
        EXPECT_LT(report.iterations, 16);
        EXPECT_LT(residual(*dirac, x, b), 1e-9);
      }
    }
  }
}

/// Other links and masses are followed by an update, vectors refreshed or not.
TEST(StaggeredMultigrid, FollowsLinksAndMasses)
{
  const Hisq hisq(quenched_links());
  const Case on(hisq.fat, &hisq.straight);
  MultigridForm form = hierarchy(3);
  Multigrid multigrid(on.param(0.2), on.links, form);
  solve_with(&multigrid, on, 0.2, on_all_sites());
  const int stale = solve_with(&multigrid, on, light, on_all_sites()).iterations;
  multigrid.update(on.param(light), on.links, true);
  const int thin = solve_with(&multigrid, on, light, on_all_sites()).iterations;
  multigrid.update(on.param(light), on.links, false);
  const int full = solve_with(&multigrid, on, light, on_all_sites()).iterations;
  form.levels[1].setup.refresh_steps = 30;
  multigrid.update(on.param(light), on.links, form, false);
  const int refreshed = solve_with(&multigrid, on, light, on_all_sites()).iterations;
  Multigrid fresh(on.param(light), on.links, form);
  EXPECT_LE(full, thin);
  EXPECT_LE(full, stale);
  EXPECT_LE(refreshed, 1.3 * solve_with(&fresh, on, light, on_all_sites()).iterations);
}

TEST(StaggeredMultigrid, RefusesByName)
{
  const Case on(phased(quenched_links()), nullptr);
  const auto message = [&](const DiracParam &param, const MultigridForm &form) {
    return refused(ErrorKind::unsupported, [&] { Multigrid(param, on.links, form); });
  };
  MultigridForm form = hierarchy(3);
  EXPECT_TRUE(contains(message(WilsonFermions {0.1}, form), "staggered"));
  EXPECT_TRUE(contains(message(on.param(0), form), "mass = 0"));
  form.kaehler_dirac = false;
  EXPECT_TRUE(contains(message(on.param(0.1), form), "operators of staggered fermions"));
}
