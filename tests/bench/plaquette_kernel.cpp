/// plaquette: both averages of a whole gauge field, exactly rounded. 2,592 flops a site; each link once.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/gauge/plaquette.h"
#include "reference/gauge/plaquette.h"

namespace quda::bench
{

namespace
{

  class Plaquette : public Kernel
  {
  public:
    explicit Plaquette(const Setting &setting)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
    {
    }
    void run() override { average_ = quda::plaquette(links_); }
    static Work work(const Setting &s) { return {.flops = 2592 * s.sites(), .read = s.links()}; }
    bool check() override
    {
      run();
      const auto &right = host_.plaquette();
      const double most = HostData::tolerance(links_.precision());
      return std::abs(average_.spatial - right[1]) <= most * std::abs(right[1]) &&
             std::abs(average_.temporal - right[2]) <= most * std::abs(right[2]);
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(std::vector {average_.spatial, average_.temporal});
    }

  private:
    HostData &host_;
    GaugeField links_;
    PlaquetteAverage average_ {};
  };

  const Registered plaquette({.name = "plaquette",
                              .needs = Needs::links,
                              .tables = {"plaquette"},
                              .features = "stencil, exact sums, requests ahead",
                              .work = Plaquette::work,
                              .make = made<Plaquette>,
                              .reference = plain([](HostData &host) {
                                const auto average = reference::plaquette(host.links());
                                return std::vector {average[1], average[2]};
                              })});

} // namespace

} // namespace quda::bench
