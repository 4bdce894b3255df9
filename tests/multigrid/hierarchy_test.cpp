/// Hierarchies of grids: what their operators and cycles must satisfy, and that solves are faster by them.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "dirac/clover_case.h"
#include "files/gauge_file.h"
#include "multigrid/multigrid.h"
#include "ops/blas/block.h"
#include "reference/gauge/links.h"
#include "reference/test_data.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

/// 4 4 4 8 at beta 6.0, where kappa of Wilson fermions is critical near 0.157.
reference::GaugeField quenched_links()
{
  const quda_files::GaugeFile file = quda_files::inspect(reference::own_data("beta6_4448.ildg"));
  reference::GaugeField gauge =
      reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file));
  reference::set_up_links(gauge, 1, -1);
  return gauge;
}

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

ColorSpinorField random_field(const ColorSpinorParam &shape, unsigned seed)
{
  ColorSpinorField field(shape);
  std::vector<double> numbers(support::host_array(field).size());
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (double &one : numbers) one = normal(random);
  support::set_from_host(field, numbers);
  return field;
}

SolveReport solve_with(Multigrid *multigrid, const Dirac &dirac, int rhs, const DiracSolve &wish)
{
  DiracSolve how = wish;
  how.preconditioner = multigrid;
  const ColorSpinorField b = random_field(dirac.shape(-1, rhs), 7);
  ColorSpinorField x(b.param());
  return solve(dirac, how, x, b);
}

/// |b - M x| / |b|, by the operator itself.
double residual(const Dirac &dirac, const ColorSpinorField &x, const ColorSpinorField &b)
{
  ColorSpinorField r(b.param());
  (*dirac.full())(r, x);
  blas::xpay(b, -1.0, r);
  return std::sqrt(blas::norm2(r) / blas::norm2(b));
}

constexpr double light = 0.1568;

DiracSolve gcr()
{
  DiracSolve how;
  how.prepared = MatPC::even_even;
  how.method = Method::gcr;
  how.options.krylov = 16;
  how.sloppy = LinkStorage {Precision::single, Reconstruct::none};
  how.tolerance.relative = 1e-10;
  how.limits = {.iterations = 1000, .reliable_delta = 1e-4};
  return how;
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
  const dirac_test::CloverCase on(quenched_links(), 0.1);
  int heavy = 100;
  for (const double kappa : {0.150, light}) {
    SCOPED_TRACE(testing::Message() << "kappa " << kappa);
    const DiracParam param = WilsonFermions {kappa};
    const auto dirac = make_dirac(param, on.links, on.storage());
    Multigrid multigrid(param, on.links, two_levels(8, {2, 2, 2, 2}));
    const SolveReport with = solve_with(&multigrid, *dirac, 2, gcr()), without = solve_with(nullptr, *dirac, 2, gcr());
    EXPECT_TRUE(with.converged());
    EXPECT_LT(with.iterations, 20);
    EXPECT_LT(8 * with.iterations, without.iterations);
    EXPECT_LT(with.iterations, 1.4 * heavy);
    heavy = with.iterations;
  }
}

/// Invariants of each level, measured by the hierarchy itself, which refuses what violates them; then a solve.
TEST(Multigrid, OfEveryKindInBothPrecisions)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
  for (const Kind &kind : kinds(on))
    for (const bool three : {false, true})
      for (const Precision precision : {Precision::double_, Precision::single}) {
        SCOPED_TRACE(testing::Message() << kind.name << ", " << (three ? 3 : 2) << " levels, " << bytes_of(precision));
        const auto dirac = make_dirac(kind.param, on.links, on.storage());
        MultigridForm form = three ? three_levels() : two_levels(8, {2, 2, 2, 2});
        form.precision = form.levels[0].stored = form.smoothing.precision = precision;
        Multigrid multigrid(kind.param, on.links, form);
        const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
        EXPECT_TRUE(report.converged());
        EXPECT_LT(report.iterations, 30);
      }
}

/// Vectors and smoothers of 16 bits.
TEST(Multigrid, InHalfPrecision)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
  const DiracParam param = CloverFermions {0.135, &on.clover};
  const auto dirac = make_dirac(param, on.links, on.storage());
  MultigridForm form = two_levels(8, {2, 2, 2, 2});
  form.levels[0].stored = form.smoothing.precision = Precision::half;
  Multigrid multigrid(param, on.links, form);
  const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
  EXPECT_TRUE(report.converged());
  EXPECT_LT(report.iterations, 25);
}

/// The same solution by way of either parity, symmetric or not, and of all sites.
TEST(Multigrid, ServesEveryFormOfTheSystem)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
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
      const SolveReport report = solve(*dirac, how, x, b);
      EXPECT_TRUE(report.converged());
      EXPECT_LT(report.iterations, 25);
      EXPECT_LT(residual(*dirac, x, b), 1e-9);
    }
    EXPECT_THROW(multigrid.preconditioner({.dagger = true}), Error);
    EXPECT_THROW(multigrid.preconditioner({.normal = true}), Error);
  }
}

/// A right-hand side among others has the solution that it has alone, though others may have it work longer.
TEST(Multigrid, RightHandSidesDoNotMatterToEachOther)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
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
  const reference::GaugeField gauge = quenched_links();
  dirac_test::CloverCase on(gauge, 0.1);
  const auto count = [&](Multigrid &multigrid, double kappa) {
    const auto dirac = make_dirac(WilsonFermions {kappa}, on.links, on.storage());
    const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
    EXPECT_TRUE(report.converged());
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

/// A larger twist on coarse grids is no worse a preconditioner than none, and is what was asked for.
TEST(Multigrid, TwistsOfCoarseGrids)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
  const DiracParam param = TwistedFermions {light, {.mu = 0.005}};
  const auto dirac = make_dirac(param, on.links, on.storage());
  int before = 0, least = 1000;
  for (const double factor : {1.0, 4.0, 400.0}) {
    MultigridForm form = two_levels(8, {2, 2, 2, 2});
    form.levels[1].mu_factor = factor;
    Multigrid multigrid(param, on.links, form);
    const SolveReport report = solve_with(&multigrid, *dirac, 1, gcr());
    EXPECT_TRUE(report.converged());
    EXPECT_GE(report.iterations, before);
    before = report.iterations;
    least = std::min(least, before);
  }
  EXPECT_GT(before, 1.5 * least);
}

TEST(Multigrid, RefusesByName)
{
  const dirac_test::CloverCase on(quenched_links(), 0.1);
  const auto message = [&](const DiracParam &param, const MultigridForm &form) {
    try {
      Multigrid multigrid(param, on.links, form);
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const MultigridForm good = two_levels(4, {2, 2, 2, 2});
  MultigridForm form = good;
  form.levels.resize(1);
  EXPECT_NE(message(WilsonFermions {0.1}, form).find("1 levels"), std::string::npos);
  form = good;
  form.levels[0].block[2] = 3;
  EXPECT_NE(message(WilsonFermions {0.1}, form).find("block[2] = 3"), std::string::npos);
  form = good;
  form.matpc = MatPC::even_even_asymmetric;
  EXPECT_NE(message(WilsonFermions {0.1}, form).find("asymmetric"), std::string::npos);
  EXPECT_NE(message(LaplaceVectors {0.1}, good).find("Laplace"), std::string::npos);
  EXPECT_NE(message(TwistedFermions {0.1, {.mu = 0.1, .flavours = 2}}, good).find("doublet"), std::string::npos);
}
