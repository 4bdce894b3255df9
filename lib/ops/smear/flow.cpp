#include "ops/smear/flow.h"

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
    StoutSmearing force = flow.symanzik ? StoutSmearing::over_improved_stout(1, 0, -1) : StoutSmearing::stout(1, -1);
    force.anisotropy = flow.anisotropy;
    return force;
  }

  GaugeField generators(const GaugeField &links)
  {
    GaugeFieldParam param;
    param.lattice = links.shared_lattice();
    param.precision = links.precision();
    param.link_type = LinkType::momentum;
    param.reconstruct = Reconstruct::r10;
    return GaugeField(param);
  }

} // namespace

int flow_stages(int order) { return static_cast<int>(stages(order).size()); }

FlowChain::FlowChain(GaugeField &&links, const GradientFlow &flow)
    : SmearChain(std::move(links), StoutSmearing {}.smeared)
    , force_(force(flow))
    , flow_(flow)
    , generator_(generators(this->links()))
{
}

void FlowChain::step(const FlowBeside &beside)
{
  for (const Stage &stage : stages(flow_.order)) {
    if (beside) beside(links(), stage.a, flow_.epsilon * stage.b);
    advance([&](GaugeField &out, const GaugeField &in) {
      stout_step(out, in, force_, {&generator_, stage.a, flow_.epsilon * stage.b});
    });
  }
}

} // namespace quda
