#include "ops/smear/adjoint_flow.h"

#include "fields/field_together.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/quark.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace quda
{

namespace
{

  /// Steps of a flow of links, from kept ones to and fro.
  class KeptFlow
  {
  public:
    KeptFlow(const GaugeField &first, const GradientFlow &flow, long long most, Precision of_stages)
        : chain_(smeared_copy(first, smear_border), flow)
    {
      GaugeFieldParam param = chain_.links().param();
      for (int &R : param.R) R = 0;
      GaugeFieldParam stage = param;
      stage.precision = of_stages;
      found_together(together_with(first.lattice()), [&] {
        for (long long i = 0; i < most; i++) kept_.emplace_back(param);
        for (int i = 0; i < flow_stages(flow.order); i++) stages_.push_back({GaugeField(stage), 0, 0});
      });
      keep();
    }

    long long last_kept() const { return steps_.back(); }
    long long count() const { return static_cast<long long>(steps_.size()); }
    long long made() const { return made_; }
    GaugeField &&first() { return std::move(kept_.front()); }

    /// Keeps the links as they are now.
    void keep()
    {
      kept_[steps_.size()] = chain_.links();
      steps_.push_back(now_);
    }
    void forget_last() { steps_.pop_back(); }
    void return_to_last()
    {
      if (now_ == last_kept()) return;
      chain_.links() = kept_[steps_.size() - 1];
      exchange_border(chain_.links());
      now_ = last_kept();
    }
    void go_to(long long step)
    {
      for (; now_ < step; now_++, made_++) chain_.step();
    }
    /// The adjoint of the next step; the links are then between two steps.
    void step_back(QuarkFlow &quarks)
    {
      std::size_t i = 0;
      chain_.step_for([&](const GaugeField &links, double a, double step) {
        stages_[i].links = links;
        stages_[i].a = a;
        stages_[i++].step = step;
      });
      now_ = -1;
      made_++;
      for (double a = 0; i-- > 0; a = stages_[i].a) quarks.adjoint_stage(stages_[i].links, a, stages_[i].step);
    }

  private:
    struct Stage {
      GaugeField links;
      double a, step;
    };
    FlowChain chain_;
    std::vector<GaugeField> kept_;
    std::vector<Stage> stages_;
    std::vector<long long> steps_; // after which those kept came, ascending
    long long now_ = 0, made_ = 0; // steps before the links of chain_; all steps
  };

} // namespace

long long steps_to_keep(long long left, long long kept)
{
  long long r = 0, reach = 1, nearer = 1; // C(kept + r, kept), and that of r - 1
  while (reach < left) {
    nearer = reach;
    r++;
    reach = reach * (kept + r) / r;
  }
  return std::min(nearer, left - nearer * kept / (kept + r - 1));
}

AdjointFlow flow_back(ColorSpinorField &quarks, const GaugeField &first, const GradientFlow &flow, long long steps,
                      const KeptLinks &keep)
{
  const long long most = std::max(1LL, std::min(keep.most, steps));
  KeptFlow links(first, flow, most, quarks.precision());
  QuarkFlow back(quarks);
  long long kept = links.count();
  for (long long end = steps; end > 0; end--) {
    links.return_to_last();
    for (long long at = links.last_kept(); end - at > keep.undivided && links.count() < most; at = links.last_kept()) {
      links.go_to(at + steps_to_keep(end - at, most - links.count() + 1));
      links.keep();
    }
    kept = std::max(kept, links.count());
    links.go_to(end - 1);
    links.step_back(back);
    if (links.last_kept() == end - 1) links.forget_last();
  }
  return {links.first(), kept, links.made(), back.flops()};
}

} // namespace quda
