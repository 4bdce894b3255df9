/// Smearing by projection and the gradient flow, a step of all links each.
///   ape   alpha 0.5, four directions; hyp 0.75 0.6 0.3: 828 flops a pair of staples and 416 a link, projections not
///         counted; smeared links, stored whole
///   flow  Wilson, epsilon 0.02, third order: three stages of stout smearing's flops, links and generators in and out
///   zeuthen_flow  of the same order and size, with the step's error: 71,280 flops a stage and site, 1,204 for the
///   error;
///         forces out and in beside, and what the error is made from

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/smear/flow.h"
#include "ops/smear/projected.h"
#include "reference/smear/flow.h"
#include "reference/smear/projected.h"

namespace quda::bench
{

namespace
{

  constexpr double ape_alpha = 0.5, flow_epsilon = 0.02, projected_pair = 828, projected_link = 416,
                   flow_stage_flops = 11088, zeuthen_stage_flops = 67320 + 3960, flow_error_flops = 1204;
  constexpr std::array<double, 3> hyp_alphas = {0.75, 0.6, 0.3};
  constexpr std::array<bool, 4> every_direction {true, true, true, true};

  using MakeChain = std::function<std::unique_ptr<SmearChain>(GaugeField &&)>;

  class Smearing : public Kernel
  {
  public:
    Smearing(const Setting &s, const MakeChain &make)
        : setting_(s)
        , make_(make)
    {
      refresh();
    }
    void refresh() override { chain_ = make_(setting_.host->native_links(setting_.precision, setting_.reconstruct)); }
    void run() override { chain_->step(); }
    Checksum checksum() override
    {
      refresh();
      run();
      return checksum_of(chain_->links());
    }

  private:
    Setting setting_;
    MakeChain make_;
    std::unique_ptr<SmearChain> chain_;
  };

  template <class Chain, class What> Maker chain_of(const What &what)
  {
    const MakeChain make = [what](GaugeField &&links) { return std::make_unique<Chain>(std::move(links), what); };
    return [make](const Setting &s) { return std::make_unique<Smearing>(s, make); };
  }

  /// Passes over pairs of staples and over links.
  Work of_projection(const Setting &s, double pairs, double links)
  {
    return {.flops = 4 * (projected_pair * pairs + projected_link * links) * s.sites(),
            .read = 2 * links * s.links(),
            .written = links * s.links()};
  }

  struct FlowWithError : FlowChain {
    FlowWithError(GaugeField &&links, const GradientFlow &flow)
        : FlowChain(std::move(links), flow)
    {
    }
    void step() override { step_with_error(flow_epsilon); }
  };

  const Registered smearings[] = {
      Entry {.name = "ape",
             .needs = Needs::own,
             .tables = {"projected_staples"},
             .features = "stencil, loop by data, exact sums",
             .most_reference = 8 * 8 * 8 * 8,
             .work = [](const Setting &s) { return of_projection(s, 3, 1); },
             .make = chain_of<ProjectedChain>(ProjectedSmearing::ape(ape_alpha, -1)),
             .reference =
                 plain([](HostData &host) { return reference::ape(host.links(), ape_alpha, every_direction); })},
      Entry {
          .name = "hyp",
          .needs = Needs::own,
          .tables = {"projected_staples"},
          .features = "stencil, loop by data, exact sums, several launches",
          .most_reference = 8 * 8 * 8 * 8,
          .work = [](const Setting &s) { return of_projection(s, 3 + 6 + 3, 7); },
          .make =
              chain_of<ProjectedChain>(ProjectedSmearing::hyp_levels(hyp_alphas[0], hyp_alphas[1], hyp_alphas[2], -1)),
          .reference = plain([](HostData &host) { return reference::hyp(host.links(), hyp_alphas, every_direction); })},
      Entry {.name = "flow",
             .needs = Needs::links,
             .tables = {"stout"},
             .features = "stencil, requests ahead, cache of a thread, exponential, several launches",
             .most_reference = 8 * 8 * 8 * 8,
             .work =
                 [](const Setting &s) {
                   return Work {.flops = 3 * flow_stage_flops * s.sites(),
                                .read = 3 * s.links() + 2 * s.momenta(),
                                .written = 3 * (s.links() + s.momenta()),
                                .uncounted_flops = 12 * exponential_flops(s.precision) * s.sites()};
                 },
             .make = chain_of<FlowChain>(GradientFlow {flow_epsilon, FlowAction::wilson, 3, 1}),
             .reference =
                 plain([](HostData &host) { return reference::flow_step(host.links(), flow_epsilon, {}, 3); })},
      Entry {.name = "zeuthen_flow",
             .needs = Needs::own, // whole links
             .tables = {"rectangle_staples", "zeuthen", "flow_error"},
             .features = "stencil, exponential, reduction with an operator, several launches",
             .most_reference = 8 * 8 * 8 * 8,
             .work =
                 [](const Setting &s) {
                   return Work {.flops = (3 * zeuthen_stage_flops + flow_error_flops) * s.sites(),
                                .read = 9 * s.links() + 9 * s.momenta(),
                                .written = 4 * s.links() + 8 * s.momenta(),
                                .uncounted_flops = 16 * exponential_flops(s.precision) * s.sites()};
                 },
             .make = chain_of<FlowWithError>(GradientFlow {flow_epsilon, FlowAction::zeuthen, 3, 1}),
             .reference = plain([](HostData &host) {
               return reference::flow_step(host.links(), flow_epsilon, {true, 1, true}, 3);
             })},
  };

} // namespace

} // namespace quda::bench
