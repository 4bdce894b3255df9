/// Stout smearing against the plain reference, under gauge transformations, and against another program's links.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "ops/halo/gauge_border.h"
#include "ops/smear/stout.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "reference/smear/stout.h"
#include "smear/chroma_links.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

struct Case {
  const char *name;
  StoutSmearing smearing;
  reference::StoutWeights weights;
};

std::vector<Case> cases()
{
  return {{"four dimensions", StoutSmearing::stout(0.1, -1), reference::stout_weights(0.1)},
          {"t ignored", StoutSmearing::stout(0.13, 3), reference::stout_weights(0.13)},
          {"y ignored", StoutSmearing::stout(0.13, 1), reference::stout_weights(0.13)},
          {"over-improved", StoutSmearing::over_improved_stout(0.06, -0.25, -1),
           reference::over_improved_weights(0.06, -0.25)},
          {"over-improved, t ignored", StoutSmearing::over_improved_stout(0.08, 0.3, 3),
           reference::over_improved_weights(0.08, 0.3)}};
}

std::array<bool, 4> smeared(const StoutSmearing &smearing)
{
  return {smearing.smeared[0], smearing.smeared[1], smearing.smeared[2], smearing.smeared[3]};
}

reference::GaugeField smear(const support::Place &place, const reference::GaugeField &gauge,
                            const support::LinkForm &form, const StoutSmearing &smearing, int steps)
{
  StoutChain chain(extended(support::native_links(place, gauge, form), stout_border), smearing);
  for (int i = 0; i < steps; i++) chain.step();
  return support::reference_links(chain.links());
}

} // namespace

TEST(Stout, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 21);
      for (const Case &one : cases()) {
        SCOPED_TRACE(one.name);
        const auto expected = reference::stout(gauge, one.weights, smeared(one.smearing));
        EXPECT_LT(reference::deviation(smear(place, gauge, {}, one.smearing, 1), expected), 1e-13);
      }
    }
  });
}

TEST(Stout, InSinglePrecisionAndFromTwoRows)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField links = reference::random_gauge(lattice, 26),
                                rounded = reference::rounded_to_single(links);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      const auto expected = reference::stout(links, one.weights, smeared(one.smearing));
      EXPECT_LT(reference::deviation(smear(place, links, {Precision::double_, Reconstruct::r12, 1, 1}, one.smearing, 1),
                                     expected),
                1e-13);
      const auto coarse = reference::stout(rounded, one.weights, smeared(one.smearing));
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        EXPECT_LT(reference::deviation(smear(place, rounded, {Precision::single, reconstruct, 1, 1}, one.smearing, 1),
                                       coarse),
                  1e-5);
    }
  });
}

TEST(Stout, StepsFollowOneAnother)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 22);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      reference::GaugeField expected = gauge;
      for (int i = 0; i < 3; i++) expected = reference::stout(expected, one.weights, smeared(one.smearing));
      EXPECT_LT(reference::deviation(smear(place, gauge, {}, one.smearing, 3), expected), 1e-13);
    }
  });
}

/// Links that carry an anisotropy and a boundary sign, and are compressed, keep them.
TEST(Stout, KeepsTheFactorsOfLinks)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 23);
    reference::set_up_links(gauge, 2.464, -1);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      const auto expected = reference::stout(gauge, one.weights, smeared(one.smearing));
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        EXPECT_LT(reference::deviation(
                      smear(place, gauge, {Precision::double_, reconstruct, 2.464, -1}, one.smearing, 1), expected),
                  1e-13);
    }
  });
}

TEST(Stout, LeavesUnitLinksAlone)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField unity(lattice);
    for (const Case &one : cases())
      for (const Precision precision : {Precision::double_, Precision::single})
        EXPECT_EQ(reference::deviation(smear(place, unity, {precision}, one.smearing, 2), unity), 0) << one.name;
  });
}

TEST(Stout, IsGaugeCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 24);
    const reference::Rotation g = reference::random_rotation(lattice, 25);
    for (const Case &one : cases())
      EXPECT_LT(reference::deviation(smear(place, reference::transformed(gauge, g), {}, one.smearing, 2),
                                     reference::transformed(smear(place, gauge, {}, one.smearing, 2), g)),
                1e-12)
          << one.name;
  });
}

/// Chroma's links after one step in three dimensions.
TEST(Stout, AgreesWithChroma)
{
  const char *before = "weak_field.lime", *after = "chroma/stout.lime";
  for (const char *name : {before, after}) NEEDS_FILE(name);
  const reference::GaugeField gauge = smear_test::links_of_file(before), expected = smear_test::links_of_file(after);
  support::on_targets([&] {
    const support::Place place(gauge.lattice, make_single_communicator());
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
      EXPECT_LT(reference::deviation(
                    smear(place, gauge, {Precision::double_, reconstruct, 1, 1}, StoutSmearing::stout(0.241, 3), 1),
                    expected),
                1e-12);
  });
}
