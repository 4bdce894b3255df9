/// Links of improved staggered fermions, all of a lattice.
///   asqtad        fat links with staples of 3, 5 and 7 links and Lepage's: flops that are done (fat_links_flops());
///                 three passes through eight fields read 36 links a site and write 28
///   naik          products of three links: two of 198 flops, and that with the weight
///   unitary_links unitary parts of fat links; iterations not counted

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/links/fat_links.h"
#include "reference/links/fat_links.h"

namespace quda::bench
{

namespace
{

  const reference::PathWeights &c = reference::asqtad_weights;
  constexpr FatWeights asqtad {c[0], c[2], c[3], c[4], c[5]};

  using Make = std::function<GaugeField(const LinkSet &)>;

  Entry entry(const char *name, std::vector<std::string> tables, const char *features, Make make, double flops,
              double read, double written, reference::GaugeField (*plainly)(const reference::GaugeField &))
  {
    return {.name = name,
            .needs = Needs::own,
            .tables = std::move(tables),
            .features = features,
            .most_reference = 8 * 8 * 8 * 8,
            .work =
                [=](const Setting &s) {
                  const double links = 72 * s.sites() * s.real();
                  return Work {.flops = flops * s.sites(), .read = read * links, .written = written * links};
                },
            .make = runs([make](const Setting &s) {
              auto thin = std::make_unique<LinkSet>();
              thin->load(std::make_unique<GaugeField>(s.host->native_links(s.precision, Reconstruct::none)));
              return [make, thin = std::move(thin)] { return make(*thin); };
            }),
            .reference = plain([plainly](HostData &host) { return plainly(host.links()); })};
  }

  GaugeField unitary(const LinkSet &links)
  {
    GaugeField out(links.precise().param());
    unitary_links(out, links.precise(), false);
    return out;
  }

  const Registered links[] = {
      entry(
          "asqtad", {"fat_links"}, "stencil, several launches",
          [](const LinkSet &thin) { return fat_links(thin, asqtad); }, static_cast<double>(fat_links_flops(asqtad)), 9,
          7, [](const reference::GaugeField &thin) { return reference::fat_links(thin, c); }),
      entry(
          "naik", {"path_walk"}, "stencil", [](const LinkSet &thin) { return long_links(thin, c[1]); },
          4 * (2 * 198 + 18), 1, 1, [](const reference::GaugeField &thin) { return reference::long_links(thin, c); }),
      entry("unitary_links", {"project"}, "loop by data, exact sums", unitary, 0, 1, 1, reference::unitary_links),
  };

} // namespace

} // namespace quda::bench
