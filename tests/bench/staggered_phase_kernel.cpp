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

  const Registered phases({.name = "staggered_phase",
                           .needs = Needs::own,
                           .tables = {"staggered_phase"},
                           .features = "signs by coordinates",
                           .work =
                               [](const Setting &s) {
                                 return Work {.flops = 72 * s.sites(),
                                              .read = s.links(),
                                              .written = s.links(),
                                              .shape = Shape::copy};
                               },
                           .make = runs([](const Setting &s) {
                             GaugeField links = s.host->native_links(s.precision, Reconstruct::none);
                             links.set_phases({StaggeredPhase::milc, false, 0});
                             return [links = std::move(links)] { return with_staggered_phases(links); };
                           }),
                           .reference = plain([](HostData &host) {
                             return reference::staggered(host.links(), reference::StaggeredPhases::milc, 1);
                           })});

} // namespace

} // namespace quda::bench
