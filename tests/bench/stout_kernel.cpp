/// stout: one step of stout smearing, rho 0.1, all four directions. 11,088 flops a site as counted in the field (the
/// kernel does 9,720, lib/kernels/smear/stout.h), exponentials not counted; each link once in and once out.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/smear/stout.h"
#include "reference/smear/stout.h"

namespace quda::bench
{

namespace
{

  constexpr double stout_flops = 11088;
  constexpr double rho = 0.1;
  constexpr std::size_t sampled_sites = 4000;

  class Stout : public Kernel
  {
  public:
    explicit Stout(const Setting &setting)
        : host_(*setting.host)
        , links_ {host_.native_links(setting.precision, setting.reconstruct),
                  host_.native_links(setting.precision, setting.reconstruct)}
    {
    }
    void refresh() override { links_[0] = host_.native_links(links_[0].precision(), links_[0].reconstruct()); }
    /// Fields take turns, as in a chain of steps.
    void run() override
    {
      stout_step(links_[1 - now_], links_[now_], StoutSmearing::stout(rho, -1));
      now_ = 1 - now_;
    }
    int turns() const override { return 2; }
    double flops() const override { return stout_flops * static_cast<double>(links_[0].lattice().volume()); }
    double uncounted_flops() const override
    {
      return 4 * exponential_flops(links_[0].precision()) * static_cast<double>(links_[0].lattice().volume());
    }
    double bytes() const override { return 2.0 * link_bytes(); }
    double working_set() const override { return bytes(); }
    bool check() override
    {
      refresh();
      stout_step(links_[1], links_[0], StoutSmearing::stout(rho, -1));
      return agrees(links_[1]);
    }

  private:
    double link_bytes() const
    {
      return 4.0 * static_cast<double>(links_[0].lattice().volume()) * links_[0].reals() *
             bytes_of(links_[0].precision());
    }

    /// All sites of small lattices, some thousands of large ones, against the plain reference.
    bool agrees(const GaugeField &found)
    {
      const reference::Lattice &lattice = host_.lattice();
      reference::GaugeField host(lattice);
      GaugeFieldParam param = found.param();
      param.precision = Precision::double_;
      param.reconstruct = Reconstruct::none;
      param.order = GaugeOrder::qdp;
      param.location = Location::host;
      param.create = Create::reference;
      for (int mu = 0; mu < 4; mu++) param.data[mu] = host.U[mu].front().data();
      GaugeField foreign(param);
      foreign = found;

      const reference::GaugeField &before = host_.links();
      const std::size_t sites = host_.whole() ? lattice.volume() : sampled_sites;
      bool good = true; // a NaN is not
#pragma omp parallel for reduction(&& : good)
      for (std::size_t k = 0; k < sites; k++) {
        // evenly over the lattice, and not by a divisor of its extents
        const std::size_t slot = host_.whole() ? k : (k * 2654435761u) % lattice.volume();
        for (int mu = 0; mu < 4; mu++) {
          const reference::Link right = reference::stout_link(before, lattice.coords(slot), mu,
                                                              reference::stout_weights(rho), {true, true, true, true});
          const double deviation = (host.U[mu][slot] - right).cwiseAbs().maxCoeff();
          good = good && deviation <= HostData::tolerance(found.precision());
        }
      }
      return good;
    }

    HostData &host_;
    GaugeField links_[2];
    int now_ = 0;
  };

  class PlainStout : public Kernel
  {
  public:
    explicit PlainStout(const Setting &setting)
        : links_(setting.host->links())
        , out_(links_)
    {
    }
    void run() override { out_ = reference::stout(links_, reference::stout_weights(rho), {true, true, true, true}); }
    double flops() const override { return stout_flops * static_cast<double>(links_.lattice.volume()); }
    double bytes() const override { return 144.0 * sizeof(double) * static_cast<double>(links_.lattice.volume()); }
    double working_set() const override { return bytes(); }
    bool check() override { return true; }

  private:
    const reference::GaugeField &links_;
    reference::GaugeField out_;
  };

  const Registered stout("stout", Variant::library, Needs::links, made<Stout>);
  const Registered plain_stout("stout", Variant::reference, Needs::links, made<PlainStout>);

} // namespace

} // namespace quda::bench
