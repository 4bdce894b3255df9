/// Sums over the neighbours that links carry along, both parities at once: covariant_sum of spinors, color_sum of
/// colour vectors, two_link_sum of those two sites away, in all directions. 72 flops a leg and spin; links once for all
/// right-hand sides, fields read once and written once. .._cut: on a lattice that is cut in all directions.
/// site_factor: colour vectors times signs by coordinates, 6 flops a site.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/spin_taste.h"
#include "ops/links/two_link.h"
#include "reference/dirac/spin_taste.h"

namespace quda::bench
{

namespace
{

  /// The first spins of the host's spinors; right-hand side i is i + 1 times the first.
  template <int spins> ColorSpinorField filled(const Setting &s)
  {
    HostData &host = *s.host;
    ColorSpinorParam param = host.native_spinors(s.precision, s.nrhs).param();
    param.spins = spins;
    ColorSpinorField field(param);
    const auto numbers = reference::spins_of<spins>(host.spinors());
    param.rhs = 1;
    param.precision = Precision::double_;
    param.order = DiracOrder::dirac;
    param.location = Location::host;
    param.create = Create::reference;
    for (int n = 0; n < s.nrhs; n++) {
      auto some = numbers;
      for (auto &site : some) site *= n + 1.0;
      std::vector<double> all =
          reference::to_host<double, spins>(some, host.lattice(), reference::Part(host.lattice()));
      param.data = all.data();
      field.columns(n, 1) = ColorSpinorField(param);
    }
    field.mark_written();
    return field;
  }

  template <int spins> class Sum : public Kernel
  {
  public:
    Sum(const Setting &s, int length)
        : length_(length)
        , links_(s.host->native_links(s.precision, length == 2 ? Reconstruct::none : s.reconstruct))
        , in_(filled<spins>(s))
        , out_(in_.param())
    {
      if (length == 2) {
        GaugeField products = two_link(LinkSet(links_));
        swap(links_, products);
      }
    }
    void run() override { covariant_sum(out_, in_, links_, 0xff, {}, length_); }
    static Work work(const Setting &s)
    {
      const double field = s.spinors() * spins / 4;
      return {.flops = 576.0 * spins * s.sites() * s.nrhs,
              .read = s.links() + field,
              .written = field,
              .shape = s.nrhs == 1 ? Shape::gather : Shape::other};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    int length_;
    GaugeField links_;
    ColorSpinorField in_, out_;
  };

  template <int spins> Maker expected(int length)
  {
    return plain([length](HostData &host) {
      const reference::GaugeField &links = host.links();
      const auto in = reference::spins_of<spins>(host.spinors());
      const auto sum = reference::neighbours<spins>(length == 2 ? reference::two_link(links) : links, in, 4, length);
      return reference::to_host<double, spins>(sum, host.lattice(), reference::Part(host.lattice()));
    });
  }

  template <int spins>
  Entry sum(const char *name, int length, std::vector<std::string> tables, Computes computes, bool cut = false)
  {
    return {.name = name,
            .needs = Needs::links_and_spinors,
            .computes = computes,
            .tables = std::move(tables),
            .features = cut ? "stencil, halo" : "stencil",
            .cut = cut,
            .work = Sum<spins>::work,
            .make = [length](const Setting &s) { return std::make_unique<Sum<spins>>(s, length); },
            .reference = cut ? Maker {} : expected<spins>(length)};
  }

  class Signs : public Kernel
  {
  public:
    static constexpr int gamma = 6;
    explicit Signs(const Setting &s)
        : in_(filled<1>(s))
        , out_(in_.param())
    {
    }
    void run() override { spin_taste(out_, in_, nullptr, gamma, gamma); }
    static Work work(const Setting &s)
    {
      const double field = s.spinors() / 4;
      return {.flops = 6 * s.sites() * s.nrhs, .read = field, .written = field, .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    ColorSpinorField in_, out_;
  };

  const Registered sign({.name = "site_factor",
                         .computes = Computes::any,
                         .tables = {"site_factor"},
                         .features = "signs by coordinates",
                         .work = Signs::work,
                         .make = made<Signs>,
                         .reference = plain([](HostData &host) {
                           const reference::GaugeField unit(host.lattice());
                           return reference::to_host<double, 1>(
                               reference::spin_taste(unit, reference::spins_of<1>(host.spinors()), Signs::gamma,
                                                     Signs::gamma),
                               host.lattice(), reference::Part(host.lattice()));
                         })});

  const Registered sums[] = {
      sum<4>("covariant_sum", 1, {"spinor_sum"}, Computes::any), sum<1>("color_sum", 1, {"color_sum"}, Computes::any),
      sum<1>("two_link_sum", 2, {"two_link_sum"}, Computes::floating),
      sum<4>("covariant_sum_cut", 1, {"spinor_sum", "spinor_pack", "halo_unpack"}, Computes::any, true),
      sum<1>("color_sum_cut", 1, {"color_sum", "color_pack", "halo_unpack"}, Computes::any, true)};

} // namespace

} // namespace quda::bench
