/// What is measured of links beside the plaquette, and their projection.
///   polyakov_loop  198 flops a site and 4 a site of a time slice; time links once
///   charge         topological charge and energy, 11,664 flops a site; each link once
///   project        onto SU(3); flops depend on the data and are not counted; each link once in and once out

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/gauge/field_strength.h"
#include "ops/gauge/polyakov.h"
#include "ops/gauge/project.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"

namespace quda::bench
{

namespace
{

  const Registered
      polyakov({.name = "polyakov_loop",
                .needs = Needs::links,
                .tables = {"polyakov_stretch", "polyakov_trace"},
                .features = "exact sums, several launches",
                .work =
                    [](const Setting &s) {
                      return Work {.flops = (198 + 4.0 / s.host->lattice().X[3]) * s.sites(), .read = s.links() / 4};
                    },
                .make = runs([](const Setting &s) {
                  return [links = s.host->native_links(s.precision, s.reconstruct)] { return polyakov_loop(links); };
                }),
                .reference = plain([](HostData &host) { return reference::polyakov_loop(host.links()); })});
  const Registered
      charge({.name = "charge",
              .needs = Needs::links,
              .tables = {"charge"},
              .features = "stencil, exact sums, requests ahead",
              .loose = 10,
              .most_reference = 16 * 16 * 16 * 16,
              .work = [](const Setting &s) { return Work {.flops = 11664 * s.sites(), .read = s.links()}; },
              .make = runs([](const Setting &s) {
                return [links = s.host->native_links(s.precision, s.reconstruct)] {
                  const ChargeAndEnergy found = charge_and_energy(links);
                  return std::vector {found.charge, found.spatial_energy, found.temporal_energy};
                };
              }),
              .reference = plain([](HostData &host) {
                const reference::Charge found = reference::charge(host.links());
                return std::vector {found.charge, found.spatial_energy, found.temporal_energy};
              })});
  const Registered project(
      {.name = "project",
       .needs = Needs::links,
       .tables = {"project"},
       .features = "loop by data, exact sums",
       .work = [](const Setting &s) { return Work {.read = s.links(), .written = s.links(), .shape = Shape::copy}; },
       .make = runs([](const Setting &s) {
         GaugeField links = s.host->native_links(s.precision, s.reconstruct);
         return [out = GaugeField(links.param()), links = std::move(links)]() mutable -> const GaugeField & {
           project_su3(out, links, projection_tolerance(links.precision()));
           return out;
         };
       }),
       .reference = plain([](HostData &host) { return reference::projected(host.links()); })});

} // namespace

} // namespace quda::bench
