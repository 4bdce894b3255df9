/// What every hierarchy satisfies, of Wilson, clover and twisted fermions, on aggregates of even and of odd extents, with two
/// and three levels, on one rank and several. A hierarchy that verifies itself refuses what violates P^dag P = 1,
/// (1 - P P^dag) v = 0, M_c = P^dag M P and M_c^dag = P^dag M^dag P on each of its levels.

#include "coarse_case.h"

#include "dirac/make_dirac.h"
#include "hierarchy_solves.h"
#include "multigrid/fine_transfer.h"
#include "ops/clover/clover_set.h"
#include "ops/clover/term.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;
using namespace coarse_case;
using namespace hierarchy_solves;

namespace
{

/// Aggregates of the first level and the second; a rank's part is two of the second ones long in each direction.
struct Blocks {
  const char *name;
  int first[4], second[4];
};

/// Of the odd ones, 6 4 4 12 on a rank, the lanes of the links' lattice are skewed.
constexpr Blocks all_blocks[] = {{"even blocks", {2, 2, 2, 2}, {1, 1, 1, 2}},
                                 {"odd blocks", {3, 2, 2, 3}, {1, 1, 1, 2}}};

reference::Coords grid_of_world()
{
  const int ranks = support::ranks();
  return ranks == 4 ? reference::Coords {1, 1, 2, 2} : reference::Coords {1, 1, 1, ranks};
}

reference::Lattice global_lattice(const Blocks &blocks)
{
  reference::Coords X = grid_of_world();
  for (std::size_t d = 0; d < 4; d++) X[d] *= 2 * blocks.first[d] * blocks.second[d];
  return reference::Lattice(X);
}

support::Place place_on(const reference::Lattice &global, bool alone)
{
  return {global, alone ? make_single_communicator() : make_communicator(grid_of_world().data())};
}

/// Links, the clover term that is made of them, and the kinds of quarks on both.
struct Quarks {
  Quarks(const reference::GaugeField &gauge, bool alone)
      : place(place_on(gauge.lattice, alone))
  {
    links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, {})));
    auto term = std::make_unique<CloverField>(support::native_clover(place, Precision::double_));
    clover_term(*term, links.with_border(2), 0.15);
    clover.load(std::move(term), nullptr);
  }
  DiracParam operator()(int kind, double kappa) const
  {
    if (kind == 0) return WilsonFermions {kappa};
    if (kind == 1) return CloverFermions {kappa, &clover};
    return TwistedFermions {kappa, {.mu = 0.05}};
  }
  ColorSpinorField spinors(const reference::Spinors &psi) const
  {
    ColorSpinorField field = support::native_spinors(place, Precision::double_, -1);
    support::set_from(field, place, psi);
    return field;
  }

  support::Place place;
  LinkSet links;
  CloverSet clover;
};

constexpr const char *kinds[] = {"Wilson", "clover", "twisted"};
constexpr double kappa = 0.12, heavier = 0.115;

MultigridForm form_of(const Blocks &blocks, int levels, Precision precision)
{
  MultigridForm form;
  form.levels.resize(static_cast<std::size_t>(levels));
  for (int n = 0; n < levels; n++) {
    MultigridLevel &level = form.levels[static_cast<std::size_t>(n)];
    for (int d = 0; d < 4; d++) level.block[d] = (n == 0 ? blocks.first : blocks.second)[d];
    level.vectors = 4;
    level.setup.steps = 6;
    level.smoother.after = 4;
    level.stored = precision;
  }
  form.precision = form.smoothing.precision = precision;
  form.verify = true;
  return form;
}

const DiracCoarse &coarse_operator(const Multigrid &multigrid, int level)
{
  return dynamic_cast<const DiracCoarse &>(multigrid.level_operator(level));
}

/// pi = P M_c^-1 P^dag M leaves the range of P as it is, and what it leaves of any vector.
void expect_projector(const Multigrid &multigrid)
{
  const Dirac &fine = multigrid.level_operator(0), &coarse = multigrid.level_operator(1);
  const FineTransfer P(multigrid.vectors(), multigrid.form().levels[0].block, coarse.shape(-1, 1).lattice,
                       Precision::double_);
  const auto M = fine.full();
  DiracSolve exactly;
  exactly.prepared = MatPC::even_even;
  exactly.tolerance.relative = 1e-13;
  exactly.limits.iterations = 500;
  const auto project = [&](const ColorSpinorField &v) {
    ColorSpinorField Mv(v.param()), r(P.coarse_shape(1)), e(P.coarse_shape(1));
    (*M)(Mv, v);
    P.restrict(r, Mv);
    EXPECT_TRUE(solve(coarse, exactly, e, r).converged());
    ColorSpinorField to(v.param());
    P.prolong(to, e);
    return to;
  };
  ColorSpinorField Pc(fine.shape(-1, 1));
  P.prolong(Pc, random_vector(P.coarse_shape(1), P.rows(), 3));
  EXPECT_LE(deviation(project(Pc), Pc), 1e-11);
  (*M)(Pc, multigrid.vectors().columns(0, 1));
  const ColorSpinorField once = project(Pc);
  EXPECT_LE(deviation(project(once), once), 1e-11);
  EXPECT_GT(deviation(once, Pc), 0.1);
}

/// A V-cycle takes this from a random vector, whatever it is made of.
void expect_smaller(Multigrid &multigrid, const Dirac &dirac, const ColorSpinorField &b)
{
  const MultigridForm form = multigrid.form();
  MultigridForm V = form;
  for (MultigridLevel &level : V.levels) level.recursive = false;
  multigrid.set_methods(V);
  ColorSpinorField z(b.param());
  multigrid.preconditioner({})->apply(z, b);
  EXPECT_LT(residual(dirac, z, b), 0.1);
  multigrid.set_methods(form);
}

/// The solution after an update to another kappa.
std::vector<double> solution(const Quarks &on, int kind, const MultigridForm &form, int rhs, int *iterations)
{
  Multigrid multigrid(on(kind, heavier), on.links, form);
  multigrid.update(on(kind, kappa), on.links, false);
  EXPECT_EQ(multigrid.report()[1].products, 1);
  const auto dirac = make_dirac(on(kind, kappa), on.links, {Precision::double_, Reconstruct::none});
  ColorSpinorField b = support::native_spinors(on.place, Precision::double_, -1, rhs), x(b.param());
  for (int j = 0; j < rhs; j++) {
    ColorSpinorField one = b.columns(j, 1);
    blas::copy(one, on.spinors(reference::random_spinors(on.place.global, 40 + static_cast<unsigned>(j))));
  }
  const SolveReport report = solved(*dirac, gcr(&multigrid), x, b);
  *iterations = report.iterations;
  ColorSpinorField first(b.columns(0, 1).param());
  blas::copy(first, x.columns(0, 1));
  return support::host_array(first);
}

} // namespace

TEST(MultigridInvariants, OfEveryKindOnAnyRanks)
{
  choose_target();
  for (const Blocks &blocks : all_blocks) {
    const reference::Lattice global = global_lattice(blocks);
    reference::GaugeField gauge = reference::random_gauge(global, 11, reference::Kind::weak);
    reference::set_up_links(gauge, 1, -1);
    const Quarks on(gauge, false), alone(gauge, true);
    if (blocks.first[0] % 2 && !on.place.lattice->cut(2) && target().lanes() > 1) {
      EXPECT_GE(on.place.lattice->skew(), 0) << on.place.lattice->description();
    }
    for (int kind = 0; kind < 3; kind++)
      for (const int levels : {2, 3}) {
        SCOPED_TRACE(testing::Message() << kinds[kind] << ", " << blocks.name << ", " << levels << " levels");
        MultigridForm form = form_of(blocks, levels, levels == 2 ? Precision::double_ : Precision::single);
        int iterations = 0, of_one = 0, of_two = 0;
        // the bits of one process
        const std::vector<double> here = solution(on, kind, form, 1, &iterations),
                                  whole = solution(alone, kind, form, 1, &of_one);
        EXPECT_TRUE(here ==
                    reference::to_host<double>(reference::from_host<double>(whole, true), global, on.place.part, -1));
        EXPECT_EQ(iterations, of_one);
        EXPECT_LT(iterations, 20);
        // a right-hand side among two has the solution that it has alone
        const std::vector<double> among = solution(on, kind, form, 2, &of_two);
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < here.size(); i++) {
          largest = std::max(largest, std::abs(here[i]));
          difference = std::max(difference, std::abs(here[i] - among[i]));
        }
        EXPECT_LE(difference, 1e-8 * largest);
        // even-odd forms and adjoints of each grid
        Multigrid multigrid(on(kind, kappa), on.links, form);
        for (int level = 1; level < levels; level++) {
          const DiracCoarse &coarse = coarse_operator(multigrid, level);
          expect_adjoint(*coarse.full(), coarse.rows());
          expect_even_odd(coarse, coarse.rows(), 1);
        }
        const auto dirac = make_dirac(on(kind, kappa), on.links, {Precision::double_, Reconstruct::none});
        expect_smaller(multigrid, *dirac, on.spinors(reference::random_spinors(global, 50)));
        if (levels == 2) expect_projector(multigrid);
      }
  }
}

/// Constants of the free quark at its critical kappa have no hop left on any grid, whose vectors are constants.
TEST(MultigridInvariants, ConstantsOfFreeQuarks)
{
  choose_target();
  for (const Blocks &blocks : all_blocks) {
    const reference::Lattice global = global_lattice(blocks);
    reference::GaugeField free(global);
    for (auto &of_direction : free.U)
      for (reference::Link &link : of_direction) link.setIdentity();
    const Quarks on(free, false);
    MultigridForm form = form_of(blocks, 3, Precision::double_);
    constexpr int vectors = 6; // a colour and a spin of either chirality each
    auto constants =
        std::make_shared<ColorSpinorField>(support::native_spinors(on.place, Precision::double_, -1, vectors));
    for (int i = 0; i < vectors; i++) {
      reference::Spinor constant = reference::Spinor::Zero();
      constant(i / 3, i % 3) = constant(2 + i / 3, i % 3) = 1;
      ColorSpinorField one = constants->columns(i, 1);
      blas::copy(one, on.spinors(reference::Spinors(global.volume(), constant)));
    }
    constants->mark_written();
    form.levels[0].given = constants;
    form.levels[0].vectors = form.levels[1].vectors = vectors;
    form.all_levels = false;
    const Multigrid multigrid(WilsonFermions {0.125}, on.links, form);
    for (int level = 1; level < 3; level++) {
      const DiracCoarse &coarse = coarse_operator(multigrid, level);
      ColorSpinorField c(coarse.shape(-1, 1)), Mc(c.param());
      const auto constant = [](std::uint64_t, std::uint64_t n) { return random_number(5, 0, n); };
      fill(c, coarse.rows(), constant);
      (*coarse.full())(Mc, c);
      EXPECT_LE(norm(Mc), 1e-14 * norm(c)) << blocks.name << ", level " << level;
      fill(c, coarse.rows(), random_numbers(5));
      (*coarse.full())(Mc, c);
      EXPECT_GT(norm(Mc), 0.1 * norm(c));
    }
  }
}

/// Links and vectors that are rotated alike give the same matrices and counts.
TEST(MultigridInvariants, GaugeTransformations)
{
  choose_target();
  for (const Blocks &blocks : all_blocks) {
    const reference::Lattice global = global_lattice(blocks);
    const reference::Rotation g = reference::random_rotation(global, 7);
    reference::GaugeField gauge = reference::random_gauge(global, 11, reference::Kind::weak);
    reference::set_up_links(gauge, 1, -1);
    const Quarks here(gauge, false), there(reference::transformed(gauge, g), false);
    for (int kind = 0; kind < 3; kind++) {
      SCOPED_TRACE(testing::Message() << kinds[kind] << ", " << blocks.name);
      std::unique_ptr<Multigrid> made[2];
      int iterations[2] = {0, 0};
      for (const bool rotated : {false, true}) {
        const Quarks &on = rotated ? there : here;
        const auto psi = [&](unsigned seed) {
          const reference::Spinors all = reference::random_spinors(global, seed);
          return on.spinors(rotated ? reference::transformed(all, g) : all);
        };
        MultigridForm form = form_of(blocks, 3, Precision::double_);
        form.all_levels = false;
        auto vectors = std::make_shared<ColorSpinorField>(
            support::native_spinors(on.place, Precision::double_, -1, form.levels[0].vectors));
        for (int i = 0; i < vectors->rhs(); i++) {
          ColorSpinorField one = vectors->columns(i, 1);
          blas::copy(one, psi(60 + static_cast<unsigned>(i)));
        }
        vectors->mark_written();
        form.levels[0].given = vectors;
        made[rotated] = std::make_unique<Multigrid>(on(kind, kappa), on.links, form);
        const auto dirac = make_dirac(on(kind, kappa), on.links, {Precision::double_, Reconstruct::none});
        const ColorSpinorField b = psi(70);
        ColorSpinorField x(b.param());
        iterations[rotated] = solved(*dirac, gcr(made[rotated].get()), x, b).iterations;
      }
      EXPECT_EQ(iterations[0], iterations[1]);
      EXPECT_LT(iterations[0], 200);
      for (int level = 1; level < 3; level++)
        EXPECT_LE(deviation(coarse_operator(*made[1], level).matrices().plain,
                            coarse_operator(*made[0], level).matrices().plain),
                  1e-13)
            << "level " << level;
    }
  }
}
