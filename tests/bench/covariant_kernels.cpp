/// Sums over the neighbours that links carry along, both parities at once: covariant_sum of spinors, color_sum of
/// colour vectors, two_link_sum of those two sites away, in all directions. 72 flops a leg and spin; links once for all
/// right-hand sides, fields read once and written once. .._cut: on a lattice that is cut in all directions.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/links/two_link.h"
#include "reference/dirac/covariant.h"

namespace quda::bench
{

namespace
{

  template <int spins> class Sum : public Kernel
  {
  public:
    Sum(const Setting &s, int length)
        : length_(length)
        , links_(s.host->native_links(s.precision, length == 2 ? Reconstruct::none : s.reconstruct))
        , in_(like(s.host->native_spinors(s.precision, s.nrhs)))
        , out_(in_.param())
    {
      if (length == 2) {
        GaugeField products = two_link(LinkSet(links_));
        swap(links_, products);
      }
      fill(*s.host);
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
    static ColorSpinorParam like(const ColorSpinorField &spinors)
    {
      ColorSpinorParam param = spinors.param();
      param.spins = spins;
      return param;
    }
    /// Right-hand side i is i + 1 times the first.
    void fill(HostData &host)
    {
      const auto numbers = reference::spins_of<spins>(host.spinors());
      for (int n = 0; n < in_.rhs(); n++) {
        auto some = numbers;
        for (auto &site : some) site *= n + 1.0;
        std::vector<double> all =
            reference::to_host<double, spins>(some, host.lattice(), reference::Part(host.lattice()));
        ColorSpinorParam param = in_.param();
        param.rhs = 1;
        param.precision = Precision::double_;
        param.order = DiracOrder::dirac;
        param.location = Location::host;
        param.create = Create::reference;
        param.data = all.data();
        in_.columns(n, 1) = ColorSpinorField(param);
      }
      in_.mark_written();
    }

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

  const Registered sums[] = {
      sum<4>("covariant_sum", 1, {"spinor_sum"}, Computes::any), sum<1>("color_sum", 1, {"color_sum"}, Computes::any),
      sum<1>("two_link_sum", 2, {"two_link_sum"}, Computes::floating),
      sum<4>("covariant_sum_cut", 1, {"spinor_sum", "spinor_pack", "halo_unpack"}, Computes::any, true),
      sum<1>("color_sum_cut", 1, {"color_sum", "color_pack", "halo_unpack"}, Computes::any, true)};

} // namespace

} // namespace quda::bench
