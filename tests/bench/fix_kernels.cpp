/// Landau gauge: the rotation that is looked for, beside links that stay.
///   relax_gauge    one over-relaxation of all sites, boost 1.7: 4,449 flops a site; links and the rotation of the
///                  other parity in, the rotation in and out (its start, descend_gauge, is not timed)
///   gauge_quality  functional and gradient: 3,552 flops a site
///   rotate_links   g U g^dag: 1,584 flops a site

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/fix/gauge_fix.h"
#include "reference/fix/gauge_fix.h"

namespace quda::bench
{

namespace
{

  constexpr double boost = 1.7;
  constexpr int directions = 4;

  enum class Part { relax, quality, rotate };

  class Fixing : public Kernel
  {
  public:
    Fixing(const Setting &s, Part part)
        : links_(s.host->native_links(s.precision, s.reconstruct))
        , out_(links_.param())
        , part_(part)
        , rotation_(links_, directions)
    {
    }
    void run() override
    {
      switch (part_) {
      case Part::relax:
        return rotation_.relax(boost);
      case Part::quality:
        quality_ = rotation_.quality();
        return;
      case Part::rotate:
        return rotation_.rotate(out_);
      }
    }
    static Work work(const Setting &s, Part part)
    {
      const double g = 18 * s.real() * s.sites();
      switch (part) {
      case Part::relax:
        return {.flops = 4449 * s.sites(), .read = 2 * s.links() + 2 * g, .written = g, .touched = s.links() + g};
      case Part::quality:
        return {.flops = 3552 * s.sites(), .read = s.links() + g};
      default:
        return {.flops = 1584 * s.sites(), .read = s.links() + g, .written = s.links()};
      }
    }
    Checksum checksum() override
    {
      GaugeRotation fresh(links_, directions);
      fresh.relax(boost);
      if (part_ == Part::quality) {
        const GaugeQuality reached = fresh.quality();
        return checksum_of(std::vector {reached.functional, reached.theta});
      }
      fresh.rotate(out_);
      return checksum_of(out_);
    }

  private:
    GaugeField links_, out_;
    Part part_;
    GaugeRotation rotation_;
    GaugeQuality quality_;
  };

  reference::GaugeField relaxed(HostData &host)
  {
    reference::GaugeField links = host.links();
    reference::over_relax(links, directions, boost);
    return links;
  }

  Entry fixing(const char *name, Part part, std::vector<std::string> tables, const char *features)
  {
    Entry entry {.name = name,
                 .needs = Needs::links,
                 .tables = std::move(tables),
                 .features = features,
                 .loose = 20,
                 .most_reference = 8 * 8 * 8 * 16,
                 .work = [=](const Setting &s) { return Fixing::work(s, part); },
                 .make = [=](const Setting &s) { return std::make_unique<Fixing>(s, part); },
                 .reference = plain(relaxed)};
    if (part == Part::quality)
      entry.reference = plain([](HostData &host) {
        const reference::GaugeField links = relaxed(host);
        return std::vector {reference::gauge_functional(links, directions), reference::gauge_theta(links, directions)};
      });
    return entry;
  }

  const Registered fixings[] = {
      fixing("relax_gauge", Part::relax, {"relax_gauge", "descend_gauge"}, "stencil, in place"),
      fixing("gauge_quality", Part::quality, {"gauge_quality"}, "stencil, exact sums"),
      fixing("rotate_links", Part::rotate, {"rotate_links"}, "stencil"),
  };

} // namespace

} // namespace quda::bench
