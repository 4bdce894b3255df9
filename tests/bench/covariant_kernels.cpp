/// Sums over the neighbours that links carry along, both parities at once: covariant_sum of spinors, color_sum of
/// colour vectors, two_link_sum of those two sites away, in all directions; and staggered hops, of one link and
/// improved, the long links being the others once more, stored by 18, 13 or 9 numbers. 72 flops a leg and spin, 570 and
/// 1,146 a site of staggered hops; links once for all right-hand sides, fields read once and written once. .._cut: on a
/// lattice that is cut in all directions. site_factor: colour vectors times signs by coordinates, 6 flops a site.

#include <optional>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/spin_taste.h"
#include "ops/dirac/staggered.h"
#include "ops/links/two_link.h"
#include "reference/dirac/spin_taste.h"
#include "reference/dirac/staggered.h"

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

  enum class Legs { one_link, two_links, staggered, improved, improved_13, improved_9 };

  bool is_improved(Legs legs) { return legs >= Legs::improved; }
  Reconstruct of_long(Legs legs)
  {
    if (!built(Reconstruct::r13)) return Reconstruct::none;
    return legs == Legs::improved_13  ? Reconstruct::r13
           : legs == Legs::improved_9 ? Reconstruct::r9
                                      : Reconstruct::none;
  }

  double flops_of(Legs legs, int spins)
  {
    return legs == Legs::staggered ? staggered_flops : is_improved(legs) ? improved_staggered_flops : 576.0 * spins;
  }

  template <int spins> class Sum : public Kernel
  {
  public:
    Sum(const Setting &s, Legs legs)
        : legs_(legs)
        , links_(s.host->native_links(s.precision, compressed(legs) ? s.reconstruct : Reconstruct::none))
        , in_(filled<spins>(s))
        , out_(in_.param())
    {
      if (is_improved(legs)) long_links_.emplace(s.host->native_links(s.precision, of_long(legs)));
      if (legs == Legs::two_links) {
        GaugeField products = two_link(LinkSet(links_));
        swap(links_, products);
      }
    }
    void run() override
    {
      if (legs_ == Legs::staggered || is_improved(legs_))
        staggered_hop(out_, in_, links_, long_links_ ? &*long_links_ : nullptr, false, {});
      else
        covariant_sum(out_, in_, links_, 0xff, {}, legs_ == Legs::two_links ? 2 : 1);
    }
    static Work work(const Setting &s, Legs legs)
    {
      const double field = s.spinors() * spins / 4;
      return {.flops = flops_of(legs, spins) * s.sites() * s.nrhs,
              .read = (is_improved(legs) ? 1 + static_cast<int>(of_long(legs)) / 18.0 : 1) * s.links() + field,
              .written = field,
              .shape = s.nrhs == 1 ? Shape::gather : Shape::other};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    static bool compressed(Legs legs) { return legs == Legs::one_link || legs == Legs::staggered; }

    Legs legs_;
    GaugeField links_;
    std::optional<GaugeField> long_links_;
    ColorSpinorField in_, out_;
  };

  template <int spins> Maker expected(Legs legs)
  {
    return plain([legs](HostData &host) {
      const reference::GaugeField &links = host.links();
      const auto in = reference::spins_of<spins>(host.spinors());
      const auto to_host = [&](const auto &sum) {
        return reference::to_host<double, spins>(sum, host.lattice(), reference::Part(host.lattice()));
      };
      if constexpr (spins == 1) {
        if (legs == Legs::staggered || is_improved(legs))
          return to_host(reference::Staggered {links, is_improved(legs) ? &links : nullptr}.hop(in));
      }
      const bool two = legs == Legs::two_links;
      return to_host(reference::neighbours<spins>(two ? reference::two_link(links) : links, in, 4, two ? 2 : 1));
    });
  }

  template <int spins>
  Entry sum(const char *name, Legs legs, std::vector<std::string> tables, Computes computes, bool cut = false)
  {
    return {.name = name,
            .needs = Needs::links_and_spinors,
            .computes = computes,
            .tables = std::move(tables),
            .features = cut ? "stencil, halo" : "stencil",
            .cut = cut,
            .work = [legs](const Setting &s) { return Sum<spins>::work(s, legs); },
            .make = [legs](const Setting &s) { return std::make_unique<Sum<spins>>(s, legs); },
            .reference = cut ? Maker {} : expected<spins>(legs)};
  }

  constexpr int sign_gamma = 6;
  const Registered
      sign({.name = "site_factor",
            .computes = Computes::any,
            .tables = {"site_factor"},
            .features = "signs by coordinates",
            .work =
                [](const Setting &s) {
                  const double field = s.spinors() / 4;
                  return Work {.flops = 6 * s.sites() * s.nrhs, .read = field, .written = field, .shape = Shape::copy};
                },
            .make = runs([](const Setting &s) {
              ColorSpinorField in = filled<1>(s);
              return [out = ColorSpinorField(in.param()), in = std::move(in)]() mutable -> const ColorSpinorField & {
                spin_taste(out, in, nullptr, sign_gamma, sign_gamma);
                return out;
              };
            }),
            .reference = plain([](HostData &host) {
              const reference::GaugeField unit(host.lattice());
              return reference::to_host<double, 1>(
                  reference::spin_taste(unit, reference::spins_of<1>(host.spinors()), sign_gamma, sign_gamma),
                  host.lattice(), reference::Part(host.lattice()));
            })});

  constexpr auto any = Computes::any;
  const Registered sums[] = {
      sum<4>("covariant_sum", Legs::one_link, {"spinor_sum"}, any),
      sum<1>("color_sum", Legs::one_link, {"color_sum"}, any),
      sum<1>("two_link_sum", Legs::two_links, {"two_link_sum"}, Computes::floating),
      sum<1>("staggered", Legs::staggered, {"staggered"}, any),
      sum<1>("improved_staggered", Legs::improved, {"improved_staggered"}, any),
      sum<1>("improved_staggered_13", Legs::improved_13, {"improved_staggered"}, any),
      sum<1>("improved_staggered_9", Legs::improved_9, {"improved_staggered"}, any),
      sum<4>("covariant_sum_cut", Legs::one_link, {"spinor_sum", "spinor_pack", "halo_unpack"}, any, true),
      sum<1>("color_sum_cut", Legs::one_link, {"color_sum", "color_pack", "halo_unpack"}, any, true),
      sum<1>("improved_staggered_cut", Legs::improved, {"improved_staggered", "color_pack", "halo_unpack"}, any, true)};

} // namespace

} // namespace quda::bench
