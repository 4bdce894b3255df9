/// Fat, long and unitarised links against the plain reference, path by path; on unit links, under gauge
/// transformations, with staggered phases, and of matrices whose singular values nearly agree or nearly vanish.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/gauge/staggered_phase.h"
#include "ops/links/fat_links.h"
#include "reference/gauge/project.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/gauge/transform.h"
#include "reference/links/fat_links.h"
#include "reference/random.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

using reference::PathWeights;

const PathWeights uneven {0.7, 0.3, -0.2, 0.11, 0.05, -0.13}; // no two alike

FatWeights weights_of(const PathWeights &c) { return {c[0], c[2], c[3], c[4], c[5]}; }

LinkSet set_of(const support::Place &place, const reference::GaugeField &gauge, Precision precision)
{
  LinkSet links;
  links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, {precision})));
  return links;
}

reference::GaugeField fat(const support::Place &place, const reference::GaugeField &gauge, const PathWeights &c,
                          Precision precision = Precision::double_)
{
  return support::reference_links(fat_links(set_of(place, gauge, precision), weights_of(c)));
}

reference::GaugeField straight(const support::Place &place, const reference::GaugeField &gauge, const PathWeights &c,
                               Precision precision = Precision::double_)
{
  return support::reference_links(long_links(set_of(place, gauge, precision), c[1]));
}

struct Unitary {
  reference::GaugeField links;
  long long failures;
};

Unitary unitary(const support::Place &place, const reference::GaugeField &gauge, bool special = false,
                Precision precision = Precision::double_, const Phases &phases = {}, int t_boundary = 1)
{
  GaugeField in = support::native_links(place, gauge, {precision, Reconstruct::none, 1, t_boundary});
  in.set_phases(phases);
  GaugeField out(in.param());
  const long long failures = unitary_links(out, in, special);
  EXPECT_EQ(out.phases().applied, phases.applied);
  return {support::reference_links(out), failures};
}

/// Matrices with these singular values, in the order of links; vectors at random.
reference::GaugeField with_singular_values(const reference::Lattice &lattice,
                                           const std::vector<std::array<double, 3>> &s)
{
  const reference::GaugeField left = reference::random_gauge(lattice, 41), right = reference::random_gauge(lattice, 42);
  reference::GaugeField out(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const auto &values = s[(4 * slot + static_cast<std::size_t>(mu)) % s.size()];
      const Eigen::DiagonalMatrix<reference::Complex, 3> middle(values[0], values[1], values[2]);
      out.U[mu][slot] = left.U[mu][slot] * middle * right.U[mu][slot];
    }
  return out;
}

} // namespace

TEST(FatLinks, AgreeWithTheReference)
{
  const std::vector<PathWeights> one = {uneven}, all = {uneven,
                                                        reference::fat7_weights,
                                                        reference::hisq_weights,
                                                        reference::naik_weights,
                                                        {0, 1, 2, 0, 0, 0},
                                                        {1, 2, 0, 3, 0, 0},
                                                        {1, 0, 0, 0, 0, 0.5},
                                                        {0, 0, 0, 0, 1, 0}};
  for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 4}}) {
    const reference::Lattice lattice(shape);
    const reference::GaugeField gauge = reference::random_gauge(lattice, 31);
    for (const PathWeights &c : shape[0] == 2 ? all : one) {
      const reference::GaugeField right = reference::fat_links(gauge, c);
      support::on_targets([&] {
        const support::Place place(lattice, make_single_communicator());
        EXPECT_LT(reference::deviation(fat(place, gauge, c), right), 1e-14);
        EXPECT_LT(reference::deviation(fat(place, gauge, c, Precision::single), right), 2e-6);
        if (c[1] == 0) return;
        const reference::GaugeField rows = reference::long_links(gauge, c);
        EXPECT_LT(reference::deviation(straight(place, gauge, c), rows), 1e-14);
        EXPECT_LT(reference::deviation(straight(place, gauge, c, Precision::single), rows), 1e-6);
      });
    }
  }
}

TEST(FatLinks, WeightsOfUnitLinks)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField unity(lattice);
    EXPECT_LT(reference::deviation(fat(place, unity, reference::fat7_weights), unity), 1e-15);
    // with three hops of -1/24 the derivative of a plane wave is right to a^4
    for (const PathWeights &c : {reference::asqtad_weights, reference::hisq_weights}) {
      const double one = fat(place, unity, c).U[2][5](1, 1).real(),
                   three = straight(place, unity, c).U[2][5](1, 1).real();
      EXPECT_NEAR(one + 3 * three, 1, 1e-14);
      EXPECT_NEAR(one + 27 * three, 0, 1e-14);
    }
  });
}

TEST(FatLinks, AreGaugeCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 33, reference::Kind::weak);
    const reference::Rotation g = reference::random_rotation(lattice, 34);
    const reference::GaugeField turned = reference::transformed(gauge, g), fattened = fat(place, gauge, uneven);
    EXPECT_LT(reference::deviation(fat(place, turned, uneven), reference::transformed(fattened, g)), 1e-13);
    EXPECT_LT(reference::deviation(unitary(place, reference::transformed(fattened, g)).links,
                                   reference::transformed(unitary(place, fattened).links, g)),
              1e-11);
  });
}

/// Phases come through: signs of the weights make up for those of the plaquettes.
TEST(FatLinks, OfLinksWithPhases)
{
  const reference::Lattice lattice({4, 2, 6, 4});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 35, reference::Kind::weak);
  const reference::GaugeField right = reference::fat_links(gauge, reference::hisq_weights);
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    for (const auto type : {reference::StaggeredPhases::milc, reference::StaggeredPhases::chroma}) {
      const reference::GaugeField links = reference::staggered(gauge, type, -1);
      EXPECT_LT(reference::deviation(fat(place, links, reference::phased(reference::hisq_weights)),
                                     reference::staggered(right, type, -1)),
                1e-13);
      const Phases phases {type == reference::StaggeredPhases::milc ? StaggeredPhase::milc : StaggeredPhase::chroma,
                           true, 0};
      const reference::GaugeField with = reference::staggered(right, type, -1);
      const reference::GaugeField in_u3 = unitary(place, with, false, Precision::double_, phases, -1).links,
                                  in_su3 = unitary(place, with, true, Precision::double_, phases, -1).links;
      EXPECT_LT(reference::deviation(in_u3, reference::unitary_links(with)), 1e-12);
      EXPECT_LT(reference::deviation(in_su3, reference::staggered(reference::projected(right), type, -1)), 1e-12);
    }
  });
}

TEST(UnitaryLinks, AgreeWithTheReference)
{
  const reference::Lattice lattice({2, 4, 6, 8});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 36, reference::Kind::weak),
                              fattened = reference::fat_links(gauge, reference::fat7_weights);
  const reference::GaugeField right = reference::unitary_links(fattened);
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    const Unitary found = unitary(place, fattened), single = unitary(place, fattened, false, Precision::single);
    EXPECT_EQ(found.failures + single.failures, 0);
    EXPECT_LT(reference::deviation(found.links, right), 1e-13);
    EXPECT_LT(reference::deviation(single.links, right), 1e-5);
    EXPECT_LT(reference::deviation(unitary(place, fattened, true).links, reference::projected(fattened)), 1e-13);
  });
}

/// Where other ways lose digits: singular values that agree, nearly agree, or are small. By their ratio the rounding of
/// the matrix itself is seen in the result.
TEST(UnitaryLinks, OfNearlyDegenerateMatrices)
{
  const reference::Lattice lattice({4, 2, 4, 4});
  const double near = 1e-6;
  const reference::GaugeField close = with_singular_values(lattice, {{1, 1, 1},
                                                                     {1, 1, 1 + near},
                                                                     {1, 1 - near, 1 + near},
                                                                     {0.3, 0.3 + near, 0.9},
                                                                     {0.5, 0.8, 0.8 - near},
                                                                     {1, 1 + 1e-10, 1 - 1e-13},
                                                                     {1e-3, 1e-3, 1},
                                                                     {40, 40 + near, 40 - near}});
  const reference::GaugeField small =
      with_singular_values(lattice, {{1, 1, near}, {1, near, near}, {1, 0.4, 2 * near}, {0.1, 1e-3, near}});
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    const Unitary found = unitary(place, close), found_small = unitary(place, small);
    EXPECT_EQ(found.failures + found_small.failures, 0);
    EXPECT_LT(reference::deviation(found.links, reference::unitary_links(close)), 1e-12);
    EXPECT_LT(reference::deviation(found_small.links, reference::unitary_links(small)), 2e-9);
  });
}

TEST(UnitaryLinks, CountsThoseThatHaveNoPhase)
{
  const reference::Lattice lattice({4, 2, 4, 4});
  reference::GaugeField gauge = reference::random_gauge(lattice, 37);
  gauge.U[0][3].setZero();
  gauge.U[3][7](1, 2) = NAN;
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    EXPECT_EQ(unitary(place, gauge).failures, 2);
    EXPECT_EQ(unitary(place, gauge, false, Precision::single).failures, 2);
  });
}
