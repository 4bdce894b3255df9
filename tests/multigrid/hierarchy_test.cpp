/// Hierarchies of grids: what their operators and cycles must satisfy, and that solves are faster by them.

#include <cmath>

#include <gtest/gtest.h>

#include "dirac/clover_case.h"
#include "dirac/dirac_coarse.h"
#include "hierarchy_solves.h"
#include "ops/blas/block.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/light_quarks.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace hierarchy_solves;
using solver_tests::light;
using solver_tests::random_field;
using support::quenched_links;

namespace
{

MultigridForm two_levels(int vectors, const int (&block)[4])
{
  MultigridForm form;
  form.levels.resize(2);
  form.levels[0].vectors = vectors;
  for (int d = 0; d < 4; d++) form.levels[0].block[d] = block[d];
  form.levels[0].setup.steps = 60;
  form.verify = true;
  return form;
}

SolveReport solve_with(Multigrid *multigrid, const Dirac &dirac, int rhs, const DiracSolve &wish)
{
  DiracSolve how = wish;
  how.preconditioner = multigrid;
  const ColorSpinorField b = random_field(dirac.shape(-1, rhs), 7);
  ColorSpinorField x(b.param());
  return multigrid ? solved(dirac, how, x, b) : solve(dirac, how, x, b);
}

struct Kind {
  const char *name;
  DiracParam param;
};

std::vector<Kind> kinds(const dirac_test::CloverCase &on)
{
  return {{"Wilson", WilsonFermions {light}},
          {"clover", CloverFermions {0.135, &on.clover}},
          {"twisted", TwistedFermions {light, {.mu = 0.02}}},
          {"twisted, mu < 0", TwistedFermions {light, {.mu = -0.02}}},
          {"twisted clover", TwistedFermions {0.135, {.mu = 0.02}, &on.clover}}};
}

MultigridForm three_levels()
{
  MultigridForm form = two_levels(8, {2, 2, 1, 2});
  form.levels.push_back(form.levels[1]);
  MultigridLevel &middle = form.levels[1];
  middle.vectors = 8;
  for (int &extent : middle.block) extent = 1;
  middle.block[2] = 2, middle.block[3] = 2;
  middle.setup.steps = 30;
  return form;
}

} // namespace

/// The cycle takes from a solve what is slow without it, whatever the mass.
TEST(Multigrid, CountsDoNotGrowWhereModesAreLight)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  int heavy = 100;
  for (const double kappa : {0.150, light}) {
    SCOPED_TRACE(testing::Message() << "kappa " << kappa);
    const DiracParam param = WilsonFermions {kappa};
    const auto dirac = make_dirac(param, on.links, on.storage());
    Multigrid multigrid(param, on.links, two_levels(8, {2, 2, 2, 2}));
    const SolveReport with = solve_with(&multigrid, *dirac, 2, gcr()), without = solve_with(nullptr, *dirac, 2, gcr());
    EXPECT_LT(with.iterations, 20);
    EXPECT_LT(8 * with.iterations, without.iterations);
    EXPECT_LT(with.iterations, 1.4 * heavy);
    heavy = with.iterations;
  }
}

/// Invariants of each level, measured by the hierarchy itself, which refuses what violates them; then a solve.
TEST(Multigrid, OfEveryKindInBothPrecisions)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  for (const Kind &kind : kinds(on))
    for (const bool three : {false, true})
      for (const Precision precision : {Precision::double_, Precision::single}) {
        SCOPED_TRACE(testing::Message() << kind.name << ", " << (three ? 3 : 2) << " levels, " << bytes_of(precision));
        const auto dirac = make_dirac(kind.param, on.links, on.storage());
        MultigridForm form = three ? three_levels() : two_levels(8, {2, 2, 2, 2});
        form.precision = form.levels[0].stored = form.smoothing.precision = precision;
        Multigrid multigrid(kind.param, on.links, form);
        const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
        EXPECT_LT(report.iterations, 30);
      }
}

/// Vectors and smoothers of 16 bits.
TEST(Multigrid, InHalfPrecision)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = CloverFermions {0.135, &on.clover};
  const auto dirac = make_dirac(param, on.links, on.storage());
  MultigridForm form = two_levels(8, {2, 2, 2, 2});
  form.levels[0].stored = form.smoothing.precision = Precision::half;
  Multigrid multigrid(param, on.links, form);
  const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
  EXPECT_LT(report.iterations, 25);
}

/// The same solution by way of either parity, symmetric or not, and of all sites.
TEST(Multigrid, ServesEveryFormOfTheSystem)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = CloverFermions {0.135, &on.clover};
  const auto dirac = make_dirac(param, on.links, on.storage());
  for (const MatPC own : {MatPC::even_even, MatPC::odd_odd}) {
    MultigridForm form = two_levels(8, {2, 2, 2, 2});
    form.matpc = own;
    Multigrid multigrid(param, on.links, form);
    const ColorSpinorField b = random_field(dirac->shape(-1, 1), 3);
    for (const std::optional<MatPC> outer : {std::optional<MatPC>(MatPC::even_even),
                                             {MatPC::odd_odd},
                                             {MatPC::even_even_asymmetric},
                                             {MatPC::odd_odd_asymmetric},
                                             {}}) {
      SCOPED_TRACE(testing::Message() << "levels on parity " << parity_of(own) << ", outer form "
                                      << (outer ? static_cast<int>(*outer) : -1));
      DiracSolve how = gcr();
      how.prepared = outer;
      how.preconditioner = &multigrid;
      ColorSpinorField x(b.param());
      const SolveReport report = solved(*dirac, how, x, b);
      EXPECT_LT(report.iterations, 25);
      EXPECT_LT(residual(*dirac, x, b), 1e-9);
    }
    EXPECT_THROW(multigrid.preconditioner({.gamma5 = Symmetry::hermitian}), Error);
  }
}

/// Adjoints, and normal forms by two solves, by GCR on A^dag A, and by PCG: as few iterations as A itself, of every kind.
TEST(Multigrid, ServesAdjointsAndNormalForms)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  for (const Kind &kind : kinds(on)) {
    const auto dirac = make_dirac(kind.param, on.links, on.storage());
    MultigridForm form = two_levels(8, {2, 2, 2, 2});
    form.levels[0].smoother.before = kind.param.index() == 1 ? 2 : 0;
    Multigrid multigrid(kind.param, on.links, form);
    const auto count = [&](const DiracSolve &wish, const char *what) {
      SCOPED_TRACE(testing::Message() << kind.name << ", " << what);
      DiracSolve how = wish;
      how.preconditioner = &multigrid;
      const int parity = how.system.matpc ? parity_of(*how.system.matpc) : -1;
      const ColorSpinorField b = random_field(dirac->shape(parity, 2), 3);
      ColorSpinorField x(b.param());
      const SolveReport report = solved(*dirac, how, x, b);
      const DiracSystem A(dirac->clone(dirac->storage()), how.system);
      ColorSpinorField r(b.param());
      A.apply({.out = r, .in = x, .end = {.x = &b, .b = -1.0}});
      EXPECT_LT(std::sqrt(blas::norm2(r) / blas::norm2(b)), 1e-9);
      return report.iterations;
    };
    const int direct = count(gcr(), "M");
    DiracSolve how = gcr();
    how.system.dagger = true;
    EXPECT_LE(count(how, "M^dag, even-odd"), direct + 4);
    how.prepared = MatPC::odd_odd_asymmetric;
    EXPECT_LE(count(how, "M^dag, asymmetric, other parity"), direct + 4);
    how.prepared.reset();
    EXPECT_LE(count(how, "M^dag, all sites"), direct + 6);
    how.system.matpc = MatPC::even_even;
    EXPECT_LE(count(how, "M_pc^dag"), direct + 4);
    how.system.matpc = MatPC::odd_odd;
    EXPECT_LE(count(how, "M_pc^dag, other parity"), direct + 4);
    how.system = {.matpc = MatPC::even_even, .normal = true};
    EXPECT_LE(count(how, "M_pc^dag M_pc, two solves"), 2 * direct + 8);
    for (const Method method : {Method::gcr, Method::pcg})
      for (const MatPC matpc : {MatPC::even_even, MatPC::odd_odd_asymmetric})
        for (const bool normal : {false, true}) {
          how = gcr();
          how.method = method;
          how.prepared.reset();
          how.limits.reliable_delta = 1e-2;
          how.equations = Equations::normal_operator;
          how.system = {.matpc = matpc, .dagger = matpc == MatPC::even_even && !normal, .normal = normal};
          EXPECT_LE(count(how, method == Method::gcr ? "normal equations, GCR" : "normal equations, PCG"),
                    2 * direct + 8)
              << "matpc " << static_cast<int>(matpc) << ", normal " << normal;
        }
  }
}

/// Low modes of the last level shorten its solves and nothing else; those of a finer one make vectors of P.
TEST(Multigrid, LowModesOfLevels)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = TwistedFermions {light, {.mu = 0.005}};
  const auto dirac = make_dirac(param, on.links, on.storage());
  MultigridForm form = two_levels(8, {2, 2, 2, 2});
  form.levels[1].solve = {.method = Method::gcr, .options = {.krylov = 100}, .tolerance = 1e-2, .steps = 100};
  LowModeForm low;
  low.options.pairs = low.options.search = 16;
  low.options.space = 48;
  low.options.tol = 1e-2;
  low.options.degree = 8;
  struct Counts {
    int outer;
    long long coarse;
  };
  const auto count = [&] {
    Multigrid multigrid(param, on.links, form);
    const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
    const std::vector<LevelReport> levels = multigrid.report();
    EXPECT_EQ(levels[1].solves, report.iterations);
    return Counts {report.iterations, levels[1].iterations};
  };
  const Counts without = count();
  form.levels[1].low_modes = low;
  const Counts with = count();
  EXPECT_LE(std::abs(with.outer - without.outer), 1);
  EXPECT_LT(static_cast<double>(with.coarse), 0.7 * static_cast<double>(without.coarse));
  form.levels[1].low_modes.reset();
  form.levels[0].low_modes = low;
  form.levels[0].low_modes->options.pairs = form.levels[0].low_modes->options.search = 8;
  EXPECT_LE(count().outer, without.outer + 2);
}

/// Seconds of a level's parts add up, and count what was done.
TEST(Multigrid, ReportsWhereTimeGoes)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = WilsonFermions {light};
  const auto dirac = make_dirac(param, on.links, on.storage());
  Multigrid multigrid(param, on.links, three_levels());
  const std::vector<LevelReport> before = multigrid.report();
  const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
  std::vector<LevelReport> done = multigrid.report();
  ASSERT_EQ(done.size(), 3u);
  double sum = 0, flops = 0;
  for (std::size_t n = 0; n < 3; n++) {
    SCOPED_TRACE(testing::Message() << "level " << n);
    done[n] = done[n] - before[n];
    EXPECT_GE(done[n].method(), 0);
    if (n < 2) {
      EXPECT_GT(done[n].smoothers, 0);
      EXPECT_GT(done[n].transfers, 0);
    } else {
      EXPECT_EQ(done[n].smoothers + done[n].transfers, 0);
    }
    EXPECT_GT(done[n].operators, 0);
    EXPECT_GT(done[n].flops, 0);
    sum += done[n].cycles;
    flops += done[n].flops;
  }
  EXPECT_LT(sum, report.seconds);
  EXPECT_GT(report.flops, flops);
  EXPECT_EQ(done[1].solves, report.iterations);
  EXPECT_EQ(done[2].solves, done[1].iterations);
  EXPECT_NE(text_of(done[2], 2).find("level 2"), std::string::npos);
  for (int n = 0; n < 3; n++) std::printf("%s", text_of(done[static_cast<std::size_t>(n)], n).c_str());
}

/// A right-hand side among others has the solution that it has alone, though others may have it work longer.
TEST(Multigrid, RightHandSidesDoNotMatterToEachOther)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = WilsonFermions {light};
  const auto dirac = make_dirac(param, on.links, on.storage());
  Multigrid multigrid(param, on.links, three_levels());
  DiracSolve how = gcr();
  how.preconditioner = &multigrid;
  const ColorSpinorField b = random_field(dirac->shape(-1, 5), 3);
  ColorSpinorField x(b.param());
  solve(*dirac, how, x, b);
  for (const int j : {0, 3}) {
    ColorSpinorField one(dirac->shape(-1, 1)), source(dirac->shape(-1, 1));
    blas::copy(source, b.columns(j, 1));
    solve(*dirac, how, one, source);
    ColorSpinorField among(one.param());
    blas::copy(among, x.columns(j, 1));
    blas::axpy(-1.0, one, among);
    EXPECT_LT(std::sqrt(blas::norm2(among) / blas::norm2(one)), 1e-8) << "right-hand side " << j;
  }
}

/// Other links and masses: refused by nothing here, served by an update.
TEST(Multigrid, FollowsLinksAndMasses)
{
  const reference::GaugeField gauge = quenched_links(-1);
  dirac_test::CloverCase on(gauge, 0.1);
  const auto count = [&](Multigrid &multigrid, double kappa) {
    const auto dirac = make_dirac(WilsonFermions {kappa}, on.links, on.storage());
    const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
    return report.iterations;
  };
  MultigridForm form = two_levels(8, {2, 2, 2, 2});
  form.levels[0].setup.refresh_steps = 20;
  Multigrid multigrid(WilsonFermions {0.150}, on.links, form);
  const int fresh = count(multigrid, 0.150), stale = count(multigrid, light);
  multigrid.update(WilsonFermions {light}, on.links, true);
  const int thin = count(multigrid, light);
  multigrid.update(WilsonFermions {light}, on.links, false);
  const int full = count(multigrid, light);
  EXPECT_LE(full, 1.4 * fresh);
  EXPECT_LE(full, stale);
  EXPECT_LE(full, thin);
}

/// On the same links and vectors other constants are sums of what there is: the matrices are those of a hierarchy made for
/// them, to the rounding of the working precision, and no product is made.
TEST(Multigrid, UpdatesOfConstantsAreSums)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1), stronger(quenched_links(-1), 0.12);
  struct Change {
    const char *name;
    DiracParam before, after;
  };
  const std::vector<Change> changes = {
      {"kappa", WilsonFermions {0.150}, WilsonFermions {light}},
      {"kappa and clover term", CloverFermions {0.130, &on.clover}, CloverFermions {0.135, &stronger.clover}},
      {"sign of mu", TwistedFermions {light, {.mu = 0.02}}, TwistedFermions {light, {.mu = -0.02}}},
      {"mu of twisted clover", TwistedFermions {0.135, {.mu = 0.02}, &on.clover},
       TwistedFermions {0.134, {.mu = -0.05}, &stronger.clover}}};
  for (const Change &change : changes)
    for (const Precision precision : {Precision::double_, Precision::single}) {
      SCOPED_TRACE(testing::Message() << change.name << ", " << bytes_of(precision));
      MultigridForm form = three_levels();
      form.precision = form.levels[0].stored = form.smoothing.precision = precision;
      form.all_levels = false;
      form.levels[2].mu_factor = 3;
      Multigrid multigrid(change.before, on.links, form);
      multigrid.update(change.before, on.links, true);
      multigrid.update(change.after, on.links, false);
      const auto same = std::make_shared<ColorSpinorField>(multigrid.vectors().param());
      *same = multigrid.vectors();
      form.levels[0].given = same;
      Multigrid fresh(change.after, on.links, form);
      for (const int level : {1, 2}) {
        const auto of = [&](const Multigrid &hierarchy) -> const CoarseMatrices & {
          return dynamic_cast<const DiracCoarse &>(hierarchy.level_operator(level)).matrices();
        };
        const CoarseMatrices &found = of(multigrid), &right = of(fresh);
        EXPECT_EQ(multigrid.report()[static_cast<std::size_t>(level)].products, 1);
        EXPECT_EQ(found.twist, right.twist);
        const double rounding = precision == Precision::double_ ? 1e-14 : 1e-6;
        for (const auto field : {&CoarseMatrices::plain, &CoarseMatrices::hat}) {
          ColorSpinorField difference(found.plain.param());
          blas::axpbyz(1, found.*field, -1, right.*field, difference);
          EXPECT_LE(std::sqrt(blas::norm2(difference) / blas::norm2(right.*field)), rounding) << "level " << level;
        }
      }
    }
  const dirac_test::CloverCase other(reference::random_gauge(quenched_links(-1).lattice, 1, reference::Kind::weak),
                                     0.1);
  Multigrid multigrid(changes[1].before, on.links, three_levels());
  multigrid.update(CloverFermions {0.130, &other.clover}, on.links, false); // no multiple of what it was made with
  EXPECT_EQ(multigrid.report()[2].products, 2);
  multigrid.update(CloverFermions {0.130, &other.clover}, other.links, false);
  EXPECT_EQ(multigrid.report()[1].products, 3);
}

/// A larger twist on coarse grids is no worse a preconditioner than none, and is what was asked for.
TEST(Multigrid, TwistsOfCoarseGrids)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const DiracParam param = TwistedFermions {light, {.mu = 0.005}};
  const auto dirac = make_dirac(param, on.links, on.storage());
  int before = 0, least = 1000;
  for (const double factor : {1.0, 4.0, 400.0}) {
    MultigridForm form = two_levels(8, {2, 2, 2, 2});
    form.levels[1].mu_factor = factor;
    Multigrid multigrid(param, on.links, form);
    const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
    EXPECT_GE(report.iterations, before);
    before = report.iterations;
    least = std::min(least, before);
  }
  EXPECT_GT(before, 1.5 * least);
}

TEST(Multigrid, RefusesByName)
{
  const dirac_test::CloverCase on(quenched_links(-1), 0.1);
  const auto refuses = [&](ErrorKind kind, const DiracParam &param, const MultigridForm &form, const char *words) {
    expect_refused(kind, {words}, [&] { Multigrid(param, on.links, form); });
  };
  const MultigridForm good = two_levels(4, {2, 2, 2, 2});
  MultigridForm form = good;
  form.levels.resize(1);
  refuses(ErrorKind::bad_argument, WilsonFermions {0.1}, form, "1 levels");
  form = good;
  form.levels[0].block[2] = 3;
  refuses(ErrorKind::bad_argument, WilsonFermions {0.1}, form, "block[2] = 3");
  form = good;
  form.matpc = MatPC::even_even_asymmetric;
  refuses(ErrorKind::bad_argument, WilsonFermions {0.1}, form, "asymmetric");
  refuses(ErrorKind::unsupported, LaplaceVectors {0.1}, good, "Laplace");
  refuses(ErrorKind::unsupported, TwistedFermions {0.1, {.mu = 0.1, .flavours = 2}}, good, "doublet");
}
