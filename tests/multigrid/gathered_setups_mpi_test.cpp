/// Every kind of set-up, and what comes after it, with levels that are gathered on fewer ranks: the bits of one process.

#include <functional>
#include <limits>

#include <mpi.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "hierarchy_solves.h"
#include "ops/multigrid/rows.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace hierarchy_solves;

namespace
{

constexpr double kappa = 0.13, heavier = 0.125;

/// A lattice, the ranks on it, aggregates of level 1 (those of level 0 are 2^4), and how many ranks have one that solves a
/// level.
struct Shape {
  const char *name;
  reference::Coords X, grid;
  int second[4];
  int copies[3];
};

std::vector<Shape> shapes()
{
  const int ranks = support::ranks(), half = (ranks + 1) / 2;
  const bool four = ranks == 4;
  return {
      {"level 2, of four ranks in a row level 1, too", {4, 4, 4, 8}, {1, 1, 1, ranks}, {1, 1, 1, 2}, {1, half, ranks}},
      {"level 1, not level 2 once more",
       {8, 4, 4, four ? 8 : 4},
       {1, 1, std::min(ranks, 2), four ? 2 : 1},
       {2, 1, 1, 1},
       {1, std::min(ranks, 2), std::min(ranks, 2)}}};
}

struct Links {
  Links(const support::Place &place, const reference::GaugeField &gauge)
      : field(support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1}))
      , set(field)
  {
  }
  const GaugeField field;
  const LinkSet set;
};

/// Links that change along a walk, and those of which one rank has a number that is none.
struct Gauges {
  explicit Gauges(const reference::Coords &X)
      : first(made(X, 11))
      , second(made(X, 12))
      , broken(first)
  {
    broken.U[0][broken.lattice.slot({1, 2, 3, X[3] - 2})](0, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  static reference::GaugeField made(const reference::Coords &X, unsigned seed)
  {
    reference::GaugeField gauge = reference::random_gauge(reference::Lattice(X), seed, reference::Kind::weak);
    reference::set_up_links(gauge, 1, -1);
    return gauge;
  }
  reference::GaugeField first, second, broken;
};

DiracParam twisted(double kappa) { return TwistedFermions {kappa, {.mu = 0.05}}; }

/// A solution at each station, and the steps to it.
struct Walk {
  std::vector<std::vector<double>> x;
  std::vector<int> steps;
};

using Change = std::function<void(MultigridForm &)>;

MultigridForm form_of(const Shape &shape, const Change &change)
{
  MultigridForm form;
  form.levels.resize(3);
  for (std::size_t n = 0; n < 3; n++) {
    MultigridLevel &level = form.levels[n];
    for (int d = 0; d < 4; d++) level.block[d] = n == 0 ? 2 : shape.second[d];
    level.vectors = 4;
    level.setup.steps = 6;
    level.smoother.after = 4;
    level.solve.steps = 8;
  }
  form.verify = true;
  change(form);
  return form;
}

/// whole: through all stations, not the first two alone.
Walk walked(const Shape &shape, std::shared_ptr<Communicator> ranks, const Gauges &gauges, const Change &change,
            bool whole)
{
  const reference::Lattice global(shape.X);
  const support::Place place(global, std::move(ranks));
  const bool alone = place.lattice->communicator().size() == 1;
  const Links first(place, gauges.first), second(place, gauges.second), broken(place, gauges.broken);
  ColorSpinorField b = support::native_spinors(place, Precision::double_, -1), x(b.param());
  support::set_from_host(b, reference::to_host<double>(reference::random_spinors(global, 40), global, place.part, -1));
  Walk walk;
  const auto at = [&](Multigrid &multigrid, const Links &links, double with, bool dagger = false) {
    const auto dirac = make_dirac(twisted(with), links.set, {Precision::double_, Reconstruct::none});
    DiracSolve how = gcr(&multigrid, MatPC::even_even, 1e-8);
    how.system.dagger = dagger;
    how.limits.iterations = 200;
    const SolveReport report = solved(*dirac, how, x, b);
    walk.x.push_back(support::host_array(x));
    walk.steps.push_back(report.iterations);
  };

  MultigridForm form = form_of(shape, change);
  Multigrid multigrid(twisted(kappa), first.set, form);
  for (std::size_t n = 0; n < 3; n++) {
    const int copies = alone ? 1 : shape.copies[n];
    const std::string lattice = multigrid.report()[n].lattice, says = text("on one of %d ranks", copies);
    EXPECT_EQ(lattice.find(copies > 1 ? says : "on one of") != std::string::npos, copies > 1) << lattice;
  }
  at(multigrid, first, kappa);
  for (MultigridLevel &level : form.levels) level.setup.refresh_steps = 2;
  multigrid.update(twisted(kappa), second.set, form, false);
  at(multigrid, second, kappa);
  if (!whole) return walk;

  at(multigrid, second, kappa, true);
  multigrid.update(twisted(kappa), first.set, true);
  at(multigrid, first, kappa);
  for (MultigridLevel &level : form.levels) level.setup.refresh_steps = 0;
  multigrid.update(twisted(kappa), first.set, form, false);
  multigrid.update(twisted(heavier), first.set, form, false);
  at(multigrid, first, heavier);

  // others that need the spectrum of what they work on, by products that have been made by one copy alone before
  MultigridForm other = form;
  for (MultigridLevel &level : other.levels) {
    level.smoother.options.polynomials = Polynomials::chebyshev;
    level.smoother.before = 2;
  }
  other.levels[2].solve.method = Method::ca_cgnr;
  other.levels[2].solve.options.polynomials = Polynomials::chebyshev;
  multigrid.set_methods(other);
  at(multigrid, first, heavier);
  multigrid.set_methods(form);

  // the same from its own vectors, as files have them
  MultigridForm given = form;
  auto vectors = std::make_shared<ColorSpinorField>(multigrid.vectors().param());
  blas::copy(*vectors, multigrid.vectors());
  given.levels[0].given = std::move(vectors);
  given.levels[1].given_rows = std::make_shared<const RowArray>(to_host(multigrid.vectors(1), 8));
  {
    Multigrid again(twisted(heavier), first.set, given);
    at(again, first, heavier);
  }

  // what one rank of several finds wrong
  const std::string full =
      failure([&] { multigrid.once(2, [] { throw FoundTogether(ErrorKind::file, "a full disk"); }); });
  EXPECT_TRUE(full.ends_with("a full disk") && !full.starts_with("alone")) << full;
  long long works = 0;
  multigrid.once(2, [&] { works++; });
  place.lattice->communicator().sum(&works, 1);
  EXPECT_EQ(works, multigrid.level_operator(2).shape(-1, 1).lattice->communicator().size());
  const std::string told = failure([&] { multigrid.update(twisted(kappa), broken.set, form, false); });
  EXPECT_TRUE(told != "none" && !told.starts_with("alone")) << told;
  return walk;
}

/// The walk of one process, made by the first rank and told to the others.
Walk told_to_all(const std::function<Walk()> &walk)
{
  Walk made;
  if (support::rank() == 0) made = walk();
  int stations = static_cast<int>(made.steps.size()), numbers = stations > 0 ? static_cast<int>(made.x[0].size()) : 0;
  MPI_Bcast(&stations, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
  made.steps.resize(static_cast<std::size_t>(stations));
  made.x.resize(made.steps.size());
  MPI_Bcast(made.steps.data(), stations, MPI_INT, 0, MPI_COMM_WORLD);
  for (std::vector<double> &x : made.x) {
    x.resize(static_cast<std::size_t>(numbers));
    MPI_Bcast(x.data(), numbers, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  return made;
}

LowModeForm low_modes(int pairs)
{
  LowModeForm low;
  low.options.pairs = low.options.search = pairs;
  low.options.space = 12;
  low.options.tol = 1e-2;
  return low;
}

struct Kind {
  const char *name;
  Change change;
  bool whole = false;
};

const Kind kinds[] = {{"by inverse iteration", [](MultigridForm &) {}, true},
                      {"by inverse iteration on themselves",
                       [](MultigridForm &form) {
                         for (MultigridLevel &level : form.levels) {
                           level.setup.inverse = true;
                           level.setup.method = Method::bicgstab;
                           level.setup.together = 3;
                         }
                       }},
                      {"by the cycles of both levels",
                       [](MultigridForm &form) { form.levels[0].setup.bootstrap = form.levels[1].setup.bootstrap = 1; },
                       true},
                      {"by the cycle of level 0, twice, of fewer right-hand sides",
                       [](MultigridForm &form) {
                         form.levels[0].setup.bootstrap = 2;
                         form.levels[0].setup.together = 1;
                       }},
                      {"by the cycle of level 1, a V-cycle",
                       [](MultigridForm &form) {
                         form.levels[1].setup.bootstrap = 2;
                         for (MultigridLevel &level : form.levels) level.recursive = false;
                       }},
                      {"by polynomials",
                       [](MultigridForm &form) {
                         for (MultigridLevel &level : form.levels)
                           level.setup.filter = {.order = 8, .step = 3, .sources = 2};
                       }},
                      {"by restriction", [](MultigridForm &form) { form.all_levels = false; }},
                      {"of low modes",
                       [](MultigridForm &form) {
                         form.levels[1].low_modes = low_modes(4);
                         form.levels[2].low_modes = low_modes(3);
                         form.levels[2].solve.method = Method::ca_gcr;
                       }},
                      {"of 16 bits", [](MultigridForm &form) {
                         form.smoothing.precision = Precision::half;
                         for (MultigridLevel &level : form.levels) level.stored = Precision::half;
                         form.levels[2].solve.method = Method::cgnr; // which asks for the adjoint
                       }}};

} // namespace

TEST(GatheredSetups, GiveTheBitsOfOneProcess)
{
  choose_target();
  for (const Shape &shape : shapes()) {
    const Gauges gauges(shape.X);
    const reference::Lattice global(shape.X);
    for (const Kind &kind : kinds) {
      SCOPED_TRACE(testing::Message() << "gathered: " << shape.name << "; vectors " << kind.name);
      const Walk of_one =
          told_to_all([&] { return walked(shape, make_single_communicator(), gauges, kind.change, kind.whole); });
      const auto ranks = make_communicator(shape.grid.data());
      const Walk here = walked(shape, ranks, gauges, kind.change, kind.whole);
      const reference::Part part(global, support::Place::coords(*ranks, true), support::Place::coords(*ranks, false));
      ASSERT_EQ(here.x.size(), of_one.x.size());
      for (std::size_t n = 0; n < here.x.size(); n++) {
        EXPECT_EQ(here.steps[n], of_one.steps[n]) << "station " << n;
        EXPECT_TRUE(here.x[n] ==
                    reference::to_host<double>(reference::from_host<double>(of_one.x[n], true), global, part, -1))
            << "station " << n;
      }
    }
  }
}
