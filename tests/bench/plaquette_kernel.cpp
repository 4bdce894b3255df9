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

  constexpr double plaquette_flops = 2592;

  class Plaquette : public Kernel
  {
  public:
    explicit Plaquette(const Setting &setting)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
    {
    }
    void run() override { average_ = quda::plaquette(links_); }
    double flops() const override { return plaquette_flops * static_cast<double>(links_.lattice().volume()); }
    double bytes() const override
    {
      return 4.0 * static_cast<double>(links_.lattice().volume()) * static_cast<int>(links_.reconstruct()) *
             bytes_of(links_.precision());
    }
    double working_set() const override { return bytes(); }
    bool check() override
    {
      run();
      const auto &right = host_.plaquette();
      const double most = HostData::tolerance(links_.precision());
      return std::abs(average_.spatial - right[1]) <= most * std::abs(right[1]) &&
             std::abs(average_.temporal - right[2]) <= most * std::abs(right[2]);
    }

  private:
    HostData &host_;
    GaugeField links_;
    PlaquetteAverage average_ {};
  };

  class PlainPlaquette : public Kernel
  {
  public:
    explicit PlainPlaquette(const Setting &setting)
        : links_(setting.host->links())
    {
    }
    void run() override { average_ = reference::plaquette(links_)[0]; }
    double flops() const override { return plaquette_flops * static_cast<double>(links_.lattice.volume()); }
    double bytes() const override { return 72.0 * sizeof(double) * static_cast<double>(links_.lattice.volume()); }
    double working_set() const override { return bytes(); }
    bool check() override { return true; }

  private:
    const reference::GaugeField &links_;
    volatile double average_ = 0;
  };

  const Registered plaquette("plaquette", Variant::library, Needs::links, made<Plaquette>);
  const Registered plain_plaquette("plaquette", Variant::reference, Needs::links, made<PlainPlaquette>);

} // namespace

} // namespace quda::bench
