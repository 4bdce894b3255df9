/// Gradient flow against the plain reference, under gauge transformations, by the order of its error, and against
/// another program's links.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/gauge/field_strength.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/chain.h"
#include "ops/smear/flow.h"
#include "reference/force/loops.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "reference/smear/flow.h"
#include "smear/chroma_links.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

constexpr FlowAction wilson = FlowAction::wilson, symanzik = FlowAction::symanzik, zeuthen = FlowAction::zeuthen;

struct Case {
  const char *name;
  FlowAction action;
  int order;
  double anisotropy = 1;

  reference::Flow flow() const { return {action != wilson, anisotropy, action == zeuthen}; }
};

const std::vector<Case> cases = {{"Wilson, third order", wilson, 3},
                                 {"Wilson, fourth order", wilson, 4},
                                 {"Symanzik, third order", symanzik, 3},
                                 {"Symanzik, fourth order", symanzik, 4},
                                 {"Wilson, anisotropic", wilson, 3, 1.3},
                                 {"Symanzik, anisotropic", symanzik, 3, 1.3},
                                 {"Symanzik, fourth order, anisotropic", symanzik, 4, 1.3},
                                 {"Zeuthen, third order", zeuthen, 3},
                                 {"Zeuthen, fourth order", zeuthen, 4}};

GaugeField flowed(const GaugeField &links, const GradientFlow &flow, int steps)
{
  FlowChain chain(smeared_copy(links, smear_border), flow);
  for (int i = 0; i < steps; i++) chain.step();
  GaugeFieldParam param = chain.links().param();
  for (int &R : param.R) R = 0;
  GaugeField result(param);
  result = chain.links();
  return result;
}

reference::GaugeField flowed(const support::Place &place, const reference::GaugeField &gauge,
                             const support::LinkForm &form, double epsilon, const Case &one, int steps)
{
  return support::reference_links(
      flowed(support::native_links(place, gauge, form), {epsilon, one.action, one.order, one.anisotropy}, steps));
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
      for (int i = 0; i < 2; i++) expected = reference::flow_step(expected, 0.05, one.flow(), one.order);
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
    for (const bool improved : {false, true}) {
      const reference::Generators z = reference::flow_force(gauge, {improved, 1.3});
      StoutSmearing smearing =
          improved ? StoutSmearing::over_improved_stout(0.07, 0, -1) : StoutSmearing::stout(0.07, -1);
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
  for (const FlowAction action : {wilson, symanzik, zeuthen}) {
    const auto fine = flowed(place, gauge, {}, 0.005, {"", action, 4}, 80);
    for (const int order : {3, 4}) {
      const auto error = [&](int steps) {
        return reference::deviation(flowed(place, gauge, {}, 0.4 / steps, {"", action, order}, steps), fine);
      };
      const double coarse = error(8), half = error(16), slope = std::log2(coarse / half);
      RecordProperty("slope_" + std::to_string(static_cast<int>(action)), std::to_string(slope));
      EXPECT_NEAR(slope, order, 0.25) << "order " << order << ": " << coarse << " and " << half;
    }
  }
}

namespace
{

/// - sum of Re tr over plaquettes and rectangles: 5/3 and -1/12, or 1 and 0.
double action_of(const reference::GaugeField &gauge, bool improved)
{
  double sum = 0;
  for (const auto &loop : reference::images(reference::plaquette_loop))
    sum -= (improved ? 5.0 / 3.0 : 1.0) * reference::loop_trace(gauge, loop).real();
  if (improved)
    for (const auto &loop : reference::images(reference::rectangle_loop))
      sum += reference::loop_trace(gauge, loop).real() / 12;
  return sum;
}

/// -Re tr of products, over all links.
double scalar_product(const reference::Generators &a, const reference::Generators &b)
{
  double sum = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < a[mu].size(); slot++) sum -= (a[mu][slot] * b[mu][slot]).trace().real();
  return sum;
}

} // namespace

/// The action falls by the scalar product of its gradient with what moves the links, at each step.
TEST(Flow, ActionFallsByItsGradient)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 6});
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 47);
  for (const FlowAction action : {wilson, symanzik, zeuthen}) {
    const Case one {"", action, 4};
    const bool improved = action != wilson;
    const double h = 1e-3;
    const double rate = (action_of(flowed(place, gauge, {}, h, one, 1), improved) -
                         action_of(flowed(place, gauge, {}, -h, one, 1), improved)) /
                        (2 * h);
    const reference::Generators gradient = reference::flow_force(gauge, {improved}),
                                moves = reference::flow_force(gauge, one.flow());
    EXPECT_NEAR(rate / -scalar_product(gradient, moves), 1, 1e-4);
    double before = action_of(gauge, improved);
    reference::GaugeField now = gauge;
    for (int i = 0; i < 5; i++) {
      now = flowed(place, now, {}, 0.04, one, 1);
      const double after = action_of(now, improved);
      EXPECT_LT(after, before);
      before = after;
    }
  }
}

/// A large first step is taken back; the others are what the reference takes.
TEST(Flow, AdaptiveStepsAreThoseOfTheReference)
{
  const reference::Lattice lattice({2, 4, 4, 6});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 48);
  for (const FlowAction action : {wilson, zeuthen}) {
    const Case one {"", action, 3};
    reference::AdaptiveFlow right {0.2, 1e-3};
    reference::GaugeField expected = gauge;
    for (int i = 0; i < 2; i++) expected = reference::flow_adaptively(expected, 0.15, one.flow(), right);
    EXPECT_GT(right.taken, 4);
    EXPECT_GT(right.taken_back, 0);
    support::on_targets([&] {
      const support::Place place(lattice, make_single_communicator());
      for (const Precision precision : {Precision::double_, Precision::single}) {
        FlowChain chain(extended(support::native_links(place, gauge, {precision}), smear_border), {0.2, action, 3, 1});
        AdaptiveSteps steps {0.2, 1e-3};
        for (int i = 0; i < 2; i++) flow_adaptively("test", chain, 0.15, steps);
        EXPECT_EQ(steps.taken, right.taken);
        EXPECT_EQ(steps.taken_back, right.taken_back);
        const bool exact = precision == Precision::double_;
        EXPECT_NEAR(steps.epsilon, right.epsilon, exact ? 1e-11 : 1e-4);
        EXPECT_LT(reference::deviation(support::reference_links(chain.links()), expected), exact ? 1e-11 : 1e-4);
      }
    });
  }
}

/// The error of a step falls as the cube of its size; with steps that adapt t^2 E is that of many small ones.
TEST(Flow, AdaptiveStepsLeadToTheSameEnergy)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 6});
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 49);
  const auto chain_of = [&](FlowAction action) {
    return FlowChain(extended(support::native_links(place, gauge, {}), smear_border), {0.01, action, 3, 1});
  };
  for (const FlowAction action : {wilson, symanzik, zeuthen}) {
    FlowChain one = chain_of(action), small = chain_of(action), adaptive = chain_of(action);
    const double coarse = one.step_with_error(0.01);
    one.take_back();
    EXPECT_EQ(reference::deviation(support::reference_links(one.links()), gauge), 0);
    EXPECT_NEAR(std::log2(coarse / one.step_with_error(0.005)), 3, 0.15);
    for (int i = 0; i < 200; i++) small.step(0.005);
    AdaptiveSteps steps {0.01, 3e-5};
    flow_adaptively("test", adaptive, 1, steps);
    const ChargeAndEnergy right = charge_and_energy(small.links()), found = charge_and_energy(adaptive.links());
    EXPECT_NEAR(found.spatial_energy / right.spatial_energy, 1, 2e-5);
    EXPECT_NEAR(found.temporal_energy / right.temporal_energy, 1, 2e-5);
    EXPECT_LT(steps.taken + steps.taken_back, 150);
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
  const GaugeField links = flowed(support::native_links(place, gauge, {}), {0.01, wilson, 3, 1}, 100);
  EXPECT_LT(reference::deviation(support::reference_links(links), expected), 1e-12);
  const ChargeAndEnergy energy = charge_and_energy(links);
  EXPECT_NEAR(energy.temporal_energy, 1.6539217511979e-05, 1e-17);
  EXPECT_NEAR(energy.spatial_energy, 7.7072415139179e-06, 1e-17);
}
