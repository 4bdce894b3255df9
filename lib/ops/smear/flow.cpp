#include "ops/smear/flow.h"

#include "ops/halo/gauge_border.h"
#include "ops/smear/flow_error.h"
#include "ops/smear/zeuthen.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace quda
{

namespace
{

  struct Stage {
    double a, b;
  };

  constexpr Stage third_order[] = {{0, 1.0 / 4}, {-17.0 / 32, 8.0 / 9}, {-32.0 / 27, 3.0 / 4}};
  constexpr Stage fourth_order[] = {{0, 0.032918605146},
                                    {-0.737101392796, 0.823256998200},
                                    {-1.634740794341, 0.381530948900},
                                    {-0.744739003780, 0.200092213184},
                                    {-1.469897351522, 1.718581042715},
                                    {-2.813971388035, 0.27}};

  std::span<const Stage> stages(int order)
  {
    if (order == 4) return fourth_order;
    return third_order;
  }

  StoutSmearing force(const GradientFlow &flow)
  {
    StoutSmearing force =
        flow.action == FlowAction::wilson ? StoutSmearing::stout(1, -1) : StoutSmearing::over_improved_stout(1, 0, -1);
    force.anisotropy = flow.anisotropy;
    return force;
  }

  GaugeField generators(const GaugeField &links, const int *R)
  {
    GaugeFieldParam param;
    param.lattice = links.shared_lattice();
    param.precision = links.precision();
    param.link_type = LinkType::momentum;
    param.reconstruct = Reconstruct::r10;
    for (int d = 0; d < 4; d++) param.R[d] = R[d];
    return GaugeField(param);
  }

  constexpr int no_border[4] = {0, 0, 0, 0};

  GaugeField without_border(const GaugeField &links)
  {
    GaugeFieldParam param = links.param();
    for (int &R : param.R) R = 0;
    return GaugeField(param);
  }

} // namespace

int flow_stages(int order) { return static_cast<int>(stages(order).size()); }

struct FlowChain::Zeuthen {
  GaugeField force;

  explicit Zeuthen(const GaugeField &links)
      : force(generators(links, links.R()))
  {
  }
};

struct FlowChain::Before {
  GaugeField links, first, second; // V_0, and the generators of the first two stages

  explicit Before(const GaugeField &now)
      : links(without_border(now))
      , first(generators(now, no_border))
      , second(generators(now, no_border))
  {
  }
};

FlowChain::FlowChain(GaugeField &&links, const GradientFlow &flow)
    : SmearChain(std::move(links), StoutSmearing {}.smeared)
    , force_(force(flow))
    , flow_(flow)
    , generator_(generators(this->links(), no_border))
{
  if (flow.action == FlowAction::zeuthen) zeuthen_ = std::make_shared<Zeuthen>(this->links());
}

void FlowChain::stage(double a, double step)
{
  const FlowStage stage {&generator_, a, step};
  advance([&](GaugeField &out, const GaugeField &in) {
    zeuthen_ ? zeuthen_step(out, in, zeuthen_->force, stage) : stout_step(out, in, force_, stage);
  });
}

void FlowChain::step(double epsilon, const FlowBeside &beside)
{
  for (const Stage &one : stages(flow_.order)) {
    if (beside) beside(links(), one.a, epsilon * one.b);
    stage(one.a, epsilon * one.b);
  }
}

void FlowChain::step_for(const FlowBeside &beside)
{
  const std::span<const Stage> all = stages(flow_.order);
  for (const Stage &one : all) {
    const double step = flow_.epsilon * one.b;
    beside(links(), one.a, step);
    if (&one != &all.back()) stage(one.a, step);
  }
}

double FlowChain::step_with_error(double epsilon)
{
  if (!before_) before_ = std::make_shared<Before>(links());
  before_->links = links();
  for (int i = 0; i < 3; i++) {
    stage(third_order[i].a, epsilon * third_order[i].b);
    if (i < 2) (i ? before_->second : before_->first) = generator_;
  }
  return flow_error(links(), before_->links, before_->first, before_->second, epsilon);
}

void FlowChain::take_back()
{
  links() = before_->links;
  exchange_border(links());
}

void flow_adaptively(const char *function, FlowChain &chain, double time, AdaptiveSteps &steps)
{
  for (double left = time; left > 0;) {
    const double n = std::ceil(left / steps.epsilon);
    const bool last = !(n > 1);
    const double step = last ? left : left / n;
    const double error = chain.step_with_error(step), room = 0.8 * steps.tolerance / error;
    if (error <= steps.tolerance) {
      steps.taken++;
      left = last ? 0 : left - step;
      const double larger = step * std::min(2.0, std::sqrt(std::sqrt(room)));
      steps.epsilon = larger < step ? larger : std::max(larger, steps.epsilon);
      continue;
    }
    chain.take_back();
    steps.taken_back++;
    steps.epsilon = step * (room > 0.01 ? std::sqrt(room) : 0.1);
    if (steps.epsilon < 1e-7 * time)
      throw FoundTogether(ErrorKind::bad_argument,
                          text("%s: the error of a step of %g in flow time is %g; allowed: the tolerance, %g", function,
                               step, error, steps.tolerance));
  }
}

} // namespace quda
