/// wilson: the hop from one parity to the other, no xpay, the two parities in turn, each one's output the other's
/// input. 1,320 flops a site written; links once for all right-hand sides, spinors read once and written once.
/// clover: the inverse clover term times that hop. 504 flops and 72 reals more a site written.
/// .._sums: the norm of the result in the same pass, 48 flops more. wilson_cut: on a lattice that is cut
/// (ranks.h), with the exchange of its halo.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"
#include "ops/clover/term.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/clover.h"

namespace quda::bench
{

namespace
{

  constexpr double hop_flops = 1320, clover_flops = 504, sum_flops = 48, clover_reals = 72;
  constexpr double coefficient = 0.125; // of the clover term

  class Hop : public Kernel
  {
  public:
    Hop(const Setting &setting, bool clover, bool sums)
        : host_(*setting.host)
        , sums_(sums)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , start_(host_.native_spinors(setting.precision, setting.nrhs, 0))
    {
      for (int p = 0; p < 2; p++) field_.push_back(host_.native_spinors(setting.precision, setting.nrhs, p));
      host_.fill(start_);
      if (clover) make_inverse();
      find_scale();
    }

    void refresh() override
    {
      field_[0] = start_;
      parity_ = 0;
    }
    void run() override
    {
      hop(field_[1 - parity_], field_[parity_], scale_);
      parity_ = 1 - parity_;
    }
    int turns() const override { return 2; }
    static Work work(const Setting &s, bool clover, bool sums)
    {
      const double scale = s.precision == Precision::half ? sizeof(float) : 0; // a record of fixed point
      const double term = clover ? clover_reals * s.real() + CloverField::blocks * scale : 0;
      Work work;
      work.flops = (hop_flops + (clover ? clover_flops : 0) + (sums ? sum_flops : 0)) * s.sites() / 2 * s.nrhs;
      work.read = s.links() + s.sites() / 2 * term + s.spinors() / 2;
      work.written = s.spinors() / 2;
      // five numbers are read for one written with reconstruct 12, seven with 18
      work.shape = s.nrhs == 1 ? Shape::gather : Shape::other;
      return work;
    }

    bool check() override
    {
      const reference::Wilson plain(host_.links());
      const reference::Lattice &lattice = host_.lattice();
      const reference::Spinors &psi = host_.spinors();
      // half: of numbers that were rounded to 16 bits
      const Precision precision = links_.precision();
      const double allowed = precision == Precision::half ? 1e-3 : HostData::tolerance(precision);
      bool good = true;
      for (int p = 0; p < 2; p++) {
        host_.fill(field_[1 - p]);
        hop(field_[p], field_[1 - p], 1);
        const auto expected = [&](int parity, std::size_t x_cb) {
          const reference::Coords x = lattice.coords(parity * lattice.half() + x_cb);
          const reference::Spinor sum = plain.hop_at(
              x, false, [&](const reference::Coords &y) -> const reference::Spinor & { return psi[lattice.slot(y)]; });
          if (!inverse_) return sum;
          const auto term = reference::clover_term_at(host_.links(), x, coefficient);
          return reference::times(term.inverse(), sum);
        };
        good = host_.agrees(field_[p], expected, allowed) && good;
      }
      return good;
    }

    Checksum checksum() override
    {
      refresh();
      hop(field_[1], field_[0], 1);
      return checksum_of(field_[1]);
    }

  private:
    void hop(ColorSpinorField &out, const ColorSpinorField &in, double b)
    {
      HopSums sums {.norm = true};
      const HopEnd end {.b = b, .sums = sums_ ? &sums : nullptr};
      if (inverse_)
        clover_hop(out, in, links_, {*inverse_, true, 0}, false, end);
      else
        wilson_hop(out, in, links_, false, end);
    }

    void make_inverse()
    {
      const GaugeField links = host_.native_links(Precision::double_, Reconstruct::none);
      CloverField term = host_.native_clover(Precision::double_), inverse = host_.native_clover(Precision::double_);
      clover_term(term, links, coefficient);
      clover_inverse(&inverse, term);
      inverse_.emplace(host_.native_clover(links_.precision()));
      *inverse_ = inverse;
    }

    /// The factor by which repeated hops neither grow nor fade.
    void find_scale()
    {
      constexpr int hops = 32;
      refresh();
      const double before = norm2(field_[0]);
      for (int i = 0; i < hops; i++) run();
      scale_ *= std::pow(before / norm2(field_[0]), 0.5 / hops);
    }

    double norm2(const ColorSpinorField &field)
    {
      ColorSpinorField wide = host_.native_spinors(Precision::double_, field.rhs(), field.parity());
      wide = field;
      return blas::norm2(wide);
    }

    HostData &host_;
    bool sums_;
    GaugeField links_;
    std::optional<CloverField> inverse_;
    ColorSpinorField start_;              // even
    std::vector<ColorSpinorField> field_; // even, odd
    int parity_ = 0;                      // of the next input
    double scale_ = 0.25;
  };

  class PlainWilson : public Kernel
  {
  public:
    explicit PlainWilson(const Setting &setting)
        : operator_(setting.host->links())
        , start_(reference::half_of(setting.host->spinors(), 0))
    {
    }
    void refresh() override
    {
      psi_ = start_;
      parity_ = 0;
    }
    void run() override
    {
      psi_ = operator_.hop_to(1 - parity_, psi_);
      parity_ = 1 - parity_;
    }
    int turns() const override { return 2; }
    Checksum checksum() override { return checksum_of(operator_.hop_to(1, start_)); }

  private:
    reference::Wilson operator_;
    reference::Spinors start_, psi_;
    int parity_ = 0;
  };

  /// The inverse term times the hop, site by site.
  const Maker plain_clover = plain([](HostData &host) {
    const reference::Lattice &lattice = host.lattice();
    reference::Spinors result = reference::Wilson(host.links()).hop_to(1, reference::half_of(host.spinors(), 0));
#pragma omp parallel for
    for (std::size_t x = 0; x < result.size(); x++) {
      const auto term = reference::clover_term_at(host.links(), lattice.coords(lattice.half() + x), coefficient);
      result[x] = reference::times(term.inverse(), result[x]);
    }
    return result;
  });

  Entry hop(const char *name, bool clover, bool sums, std::vector<std::string> tables, bool cut = false)
  {
    return {.name = name,
            .needs = Needs::links_and_spinors,
            .computes = Computes::any,
            .tables = std::move(tables),
            .features = std::string("stencil, requests ahead") + (sums ? ", exact sums" : "") + (cut ? ", halo" : ""),
            .cut = cut,
            .most_reference = clover ? 16 * 16 * 16 * 16 : 16 * 16 * 16 * 32,
            .work = [=](const Setting &s) { return Hop::work(s, clover, sums); },
            .make = [=](const Setting &s) { return std::make_unique<Hop>(s, clover, sums); },
            .reference = clover ? plain_clover : made<PlainWilson>};
  }

  const Registered hops[] = {hop("wilson", false, false, {"wilson"}), hop("clover", true, false, {"clover"}),
                             hop("wilson_sums", false, true, {"wilson_sums"}),
                             hop("clover_sums", true, true, {"clover_sums"}),
                             hop("wilson_cut", false, false, {"wilson", "wilson_pack", "halo_unpack"}, true)};

} // namespace

} // namespace quda::bench
