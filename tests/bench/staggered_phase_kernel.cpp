/// staggered_phase: links with the phases of MILC put on. 72 flops a site; each link once
/// in and once out.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/gauge/staggered_phase.h"
#include "reference/gauge/staggered_phase.h"

namespace quda::bench
{

namespace
{

  class Phases : public Kernel
  {
  public:
    explicit Phases(const Setting &s)
        : links_(s.host->native_links(s.precision, Reconstruct::none))
        , out_(links_.param())
    {
      links_.set_phases({StaggeredPhase::milc, false, 0});
    }
    void run() override
    {
      GaugeField with = with_staggered_phases(links_);
      swap(out_, with);
    }
    static Work work(const Setting &s)
    {
      return {.flops = 72 * s.sites(), .read = s.links(), .written = s.links(), .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    GaugeField links_, out_;
  };

  const Registered phases({.name = "staggered_phase",
                           .needs = Needs::own,
                           .tables = {"staggered_phase"},
                           .features = "signs by coordinates",
                           .work = Phases::work,
                           .make = made<Phases>,
                           .reference = plain([](HostData &host) {
                             return reference::staggered(host.links(), reference::StaggeredPhases::milc, 1);
                           })});

} // namespace

} // namespace quda::bench
