/// Smearing and flow on several ranks: the bits of one process in double precision, whatever the grid.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "ops/halo/gauge_border.h"
#include "ops/smear/flow.h"
#include "ops/smear/projected.h"
#include "ops/smear/stout.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

namespace
{

constexpr int steps = 2;

struct Case {
  const char *name;
  std::function<std::unique_ptr<SmearChain>(GaugeField &&)> chain;
  bool of_rows; // also of links stored by two rows
  bool large;
};

/// By steps that adapt; the first one is too large and taken back.
struct AdaptiveChain : FlowChain {
  AdaptiveChain(GaugeField &&links, const GradientFlow &flow)
      : FlowChain(std::move(links), flow)
      , steps {flow.epsilon, 1e-3}
  {
  }
  void step() override { flow_adaptively("AdaptiveChain", *this, 0.05, steps); }
  AdaptiveSteps steps;
};

template <class Chain, class Smearing> Case case_of(const char *name, const Smearing &smearing, bool of_rows)
{
  return {name, [smearing](GaugeField &&links) { return std::make_unique<Chain>(std::move(links), smearing); }, of_rows,
          std::is_same_v<Chain, StoutChain>};
}

std::vector<Case> cases()
{
  return {case_of<StoutChain>("stout", StoutSmearing::stout(0.1, -1), true),
          case_of<StoutChain>("stout, t ignored", StoutSmearing::stout(0.12, 3), true),
          case_of<StoutChain>("stout, x ignored", StoutSmearing::stout(0.12, 0), true),
          case_of<StoutChain>("over-improved", StoutSmearing::over_improved_stout(0.06, -0.25, -1), true),
          case_of<StoutChain>("over-improved, z ignored", StoutSmearing::over_improved_stout(0.06, 0.3, 2), true),
          case_of<ProjectedChain>("APE", ProjectedSmearing::ape(0.5, 3), false),
          case_of<ProjectedChain>("HYP", ProjectedSmearing::hyp_levels(0.75, 0.6, 0.3, -1), false),
          case_of<ProjectedChain>("HYP, y ignored", ProjectedSmearing::hyp_levels(0, 0.6, 0.3, 1), false),
          case_of<FlowChain>("Wilson flow", GradientFlow {0.02, FlowAction::wilson, 3, 1.2}, true),
          case_of<FlowChain>("Symanzik flow", GradientFlow {0.02, FlowAction::symanzik, 4, 1}, true),
          case_of<FlowChain>("Zeuthen flow", GradientFlow {0.02, FlowAction::zeuthen, 3, 1}, false),
          case_of<AdaptiveChain>("flow with a tolerance", GradientFlow {0.2, FlowAction::wilson, 3, 1}, false)};
}

GaugeField smeared(const GaugeField &links, const Case &one)
{
  const std::unique_ptr<SmearChain> chain = one.chain(extended(links, smear_border));
  for (int i = 0; i < steps; i++) chain->step();
  GaugeField result(links.param());
  result = chain->links();
  return result;
}

} // namespace

TEST(SmearingOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice large({4, 8, 4, 8}), small({4, 4, 4, 8});
  for (const Case &one : cases()) {
    SCOPED_TRACE(one.name);
    const reference::Lattice &global = one.large ? large : small;
    const reference::GaugeField gauge = reference::random_gauge(global, 71);
    for (const support::LinkForm &form :
         {support::LinkForm {}, support::LinkForm {Precision::double_, Reconstruct::r12, 1, 1},
          support::LinkForm {Precision::single, Reconstruct::none, 1, 1}})
      if (form.reconstruct == Reconstruct::none || one.of_rows)
        support::expect_bits_on_targets(
            global,
            [&](const support::Place &place) { return smeared(support::native_links(place, gauge, form), one); },
            form.precision == Precision::double_ && form.reconstruct == Reconstruct::none);
  }
}
