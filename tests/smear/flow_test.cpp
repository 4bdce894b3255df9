/// Gradient flow against the plain reference, under gauge transformations, by the order of its error, and against
/// another program's links.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/gauge/field_strength.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/flow.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "reference/smear/flow.h"
#include "smear/chroma_links.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

struct Case {
  const char *name;
  bool symanzik;
  int order;
  double anisotropy;
};

const std::vector<Case> cases = {{"Wilson, third order", false, 3, 1},   {"Wilson, fourth order", false, 4, 1},
                                 {"Symanzik, third order", true, 3, 1},  {"Symanzik, fourth order", true, 4, 1},
                                 {"Wilson, anisotropic", false, 3, 1.3}, {"Symanzik, anisotropic", true, 3, 1.3}};

GaugeField flowed(const GaugeField &links, const GradientFlow &flow, int steps)
{
  FlowChain chain(extended(links, smear_border), flow);
  for (int i = 0; i < steps; i++) chain.step();
  GaugeField result(links.param());
  result = chain.links();
  return result;
}

reference::GaugeField flowed(const support::Place &place, const reference::GaugeField &gauge,
                             const support::LinkForm &form, double epsilon, const Case &one, int steps)
{
  return support::reference_links(
      flowed(support::native_links(place, gauge, form), {epsilon, one.symanzik, one.order, one.anisotropy}, steps));
}

} // namespace

TEST(Flow, AgreesWithTheReference)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 41);
    for (const Case &one : cases) {
      SCOPED_TRACE(one.name);
      reference::GaugeField expected = gauge;
      for (int i = 0; i < 2; i++)
        expected = reference::flow_step(expected, 0.05, {one.symanzik, one.anisotropy}, one.order);
      EXPECT_LT(reference::deviation(flowed(place, gauge, {}, 0.05, one, 2), expected), 1e-12);
      EXPECT_LT(reference::deviation(flowed(place, gauge, {Precision::double_, Reconstruct::r12, 1, 1}, 0.05, one, 2),
                                     expected),
                1e-12);
      EXPECT_LT(reference::deviation(flowed(place, gauge, {Precision::single}, 0.05, one, 2), expected), 1e-4);
    }
  });
}

TEST(Flow, LeavesUnitLinksAlone)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField unity(lattice);
    for (const Case &one : cases)
      EXPECT_LT(reference::deviation(flowed(place, unity, {}, 0.1, one, 2), unity), 1e-14) << one.name;
  });
}

TEST(Flow, IsGaugeCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 2, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 43);
    const reference::Rotation g = reference::random_rotation(lattice, 44);
    for (const Case &one : cases)
      EXPECT_LT(reference::deviation(flowed(place, reference::transformed(gauge, g), {}, 0.05, one, 2),
                                     reference::transformed(flowed(place, gauge, {}, 0.05, one, 2), g)),
                1e-12)
          << one.name;
  });
}

/// Stout smearing is a step of Euler's.
TEST(Flow, BeginsAsAnisotropicStoutSmearing)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 46);
    for (const bool symanzik : {false, true}) {
      const reference::Generators z = reference::flow_force(gauge, {symanzik, 1.3});
      StoutSmearing smearing =
          symanzik ? StoutSmearing::over_improved_stout(0.07, 0, -1) : StoutSmearing::stout(0.07, -1);
      smearing.anisotropy = 1.3;
      StoutChain chain(extended(support::native_links(place, gauge, {}), stout_border), smearing);
      chain.step();
      EXPECT_LT(
          reference::deviation(support::reference_links(chain.links()), reference::moved(gauge, 0.07, z, 0, z, 0, z)),
          1e-13);
    }
  });
}

/// At one flow time, of steps half as long: the error is 2^-3 or 2^-4 of what it was.
TEST(Flow, ErrorsFallAsTheyShould)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 4});
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 45, reference::Kind::weak);
  for (const bool symanzik : {false, true}) {
    const auto fine = flowed(place, gauge, {}, 0.005, {"", symanzik, 4, 1}, 80);
    for (const int order : {3, 4}) {
      const auto error = [&](int steps) {
        return reference::deviation(flowed(place, gauge, {}, 0.4 / steps, {"", symanzik, order, 1}, steps), fine);
      };
      const double coarse = error(8), half = error(16), slope = std::log2(coarse / half);
      RecordProperty(symanzik ? "symanzik" : "wilson", std::to_string(slope));
      EXPECT_NEAR(slope, order, 0.25) << "order " << order << ": " << coarse << " and " << half;
    }
  }
}

/// Chroma's links and energies at t = 1.
TEST(Flow, AgreesWithChroma)
{
  for (const char *name : {"weak_field.lime", "chroma/wflow.lime"}) NEEDS_FILE(name);
  const reference::GaugeField gauge = smear_test::links_of_file("weak_field.lime"),
                              expected = smear_test::links_of_file("chroma/wflow.lime");
  choose_target();
  const support::Place place(gauge.lattice, make_single_communicator());
  const GaugeField links = flowed(support::native_links(place, gauge, {}), {0.01, false, 3, 1}, 100);
  EXPECT_LT(reference::deviation(support::reference_links(links), expected), 1e-12);
  const ChargeAndEnergy energy = charge_and_energy(links);
  EXPECT_NEAR(energy.temporal_energy, 1.6539217511979e-05, 1e-17);
  EXPECT_NEAR(energy.spatial_energy, 7.7072415139179e-06, 1e-17);
}
