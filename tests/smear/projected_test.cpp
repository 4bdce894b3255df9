/// APE and HYP smearing against the plain reference, under gauge transformations, and against another program's links.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "ops/halo/gauge_border.h"
#include "ops/smear/projected.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "reference/smear/projected.h"
#include "smear/chroma_links.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

struct Case {
  const char *name;
  ProjectedSmearing smearing;
};

std::vector<Case> cases()
{
  ProjectedSmearing anisotropic = ProjectedSmearing::ape(0.4, -1);
  anisotropic.anisotropy = 1.3;
  return {{"APE", ProjectedSmearing::ape(0.5, -1)},
          {"APE, t ignored", ProjectedSmearing::ape(0.6, 3)},
          {"APE, y ignored", ProjectedSmearing::ape(0.6, 1)},
          {"APE, anisotropic", anisotropic},
          {"HYP", ProjectedSmearing::hyp_levels(0.75, 0.6, 0.3, -1)},
          {"HYP, t ignored", ProjectedSmearing::hyp_levels(0.1, 0.6, 0.3, 3)},
          {"HYP, z ignored", ProjectedSmearing::hyp_levels(0.1, 0.6, 0.3, 2)}};
}

reference::GaugeField plain(const reference::GaugeField &gauge, const ProjectedSmearing &smearing)
{
  const std::array<bool, 4> smeared {smearing.smeared[0], smearing.smeared[1], smearing.smeared[2],
                                     smearing.smeared[3]};
  if (!smearing.hyp) return reference::ape(gauge, smearing.alpha[0], smeared, smearing.anisotropy);
  return reference::hyp(gauge, {smearing.alpha[0], smearing.alpha[1], smearing.alpha[2]}, smeared);
}

reference::GaugeField smear(const support::Place &place, const reference::GaugeField &gauge,
                            const support::LinkForm &form, const ProjectedSmearing &smearing, int steps)
{
  ProjectedChain chain(extended(support::native_links(place, gauge, form), smear_border), smearing);
  for (int i = 0; i < steps; i++) chain.step();
  return support::reference_links(chain.links());
}

} // namespace

TEST(Projected, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {4, 4, 2, 10}}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 31, reference::Kind::weak);
      for (const Case &one : cases()) {
        SCOPED_TRACE(one.name);
        const reference::GaugeField once = plain(gauge, one.smearing), twice = plain(once, one.smearing);
        EXPECT_LT(reference::deviation(smear(place, gauge, {}, one.smearing, 1), once), 1e-13);
        EXPECT_LT(reference::deviation(smear(place, gauge, {}, one.smearing, 2), twice), 1e-13);
        EXPECT_LT(reference::deviation(smear(place, gauge, {Precision::single}, one.smearing, 1), once), 1e-5);
      }
    }
  });
}

TEST(Projected, OfRoughLinks)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 32);
    for (const Case &one : cases())
      EXPECT_LT(reference::deviation(smear(place, gauge, {}, one.smearing, 1), plain(gauge, one.smearing)), 1e-12)
          << one.name;
  });
}

TEST(Projected, LeavesUnitLinksAlone)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField unity(lattice);
    for (const Case &one : cases())
      EXPECT_LT(reference::deviation(smear(place, unity, {}, one.smearing, 2), unity), 1e-15) << one.name;
  });
}

TEST(Projected, IsGaugeCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 33, reference::Kind::weak);
    const reference::Rotation g = reference::random_rotation(lattice, 34);
    for (const Case &one : cases())
      EXPECT_LT(reference::deviation(smear(place, reference::transformed(gauge, g), {}, one.smearing, 2),
                                     reference::transformed(smear(place, gauge, {}, one.smearing, 2), g)),
                1e-12)
          << one.name;
  });
}

/// Chroma projects otherwise: on this smooth field the links differ by some 1e-7.
TEST(Projected, AgreesWithChroma)
{
  for (const char *name : {"weak_field.lime", "chroma/ape.lime", "chroma/hyp.lime"}) NEEDS_FILE(name);
  const reference::GaugeField gauge = smear_test::links_of_file("weak_field.lime");
  choose_target();
  const support::Place place(gauge.lattice, make_single_communicator());
  EXPECT_LT(reference::deviation(smear(place, gauge, {}, ProjectedSmearing::ape(3 / (3 + 2.5 / 2), -1), 1),
                                 smear_test::links_of_file("chroma/ape.lime")),
            2e-6);
  EXPECT_LT(reference::deviation(smear(place, gauge, {}, ProjectedSmearing::hyp_levels(0.75, 0.6, 0.3, -1), 1),
                                 smear_test::links_of_file("chroma/hyp.lime")),
            2e-6);
}
