/// wilson: the hop from one parity to the other, no xpay, the two parities in turn, each one's output the other's
/// input. 1,320 flops a site written; links once for all right-hand sides, spinors read once and written once.
/// clover: the inverse clover term times that hop. 504 flops and 72 reals more a site written. twisted: the inverse
/// twisted-mass term times it, 72 flops more; twisted_clover: two clover terms and a twist, 1,080 flops and 144 reals.
/// .._sums: the norm of the result in the same pass, 48 flops more. wilson_cut: on a lattice that is cut
/// (ranks.h), with the exchange of its halo.

#include <cmath>

#include <Eigen/LU>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"
#include "ops/clover/term.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/clover.h"
#include "reference/dirac/twist.h"

namespace quda::bench
{

namespace
{

  constexpr double hop_flops = 1320, clover_flops = 504, sum_flops = 48, clover_reals = 72;
  constexpr double coefficient = 0.125; // of the clover term
  constexpr double mu = 0.25;

  /// What multiplies the hop.
  struct Local {
    bool clover = false, twisted = false;

    double flops() const { return (clover ? clover_flops : 0) + (twisted ? 72 + (clover ? clover_flops : 0) : 0); }
    int terms() const { return clover ? 1 + twisted : 0; } // read
    reference::Spinor times(const reference::GaugeField &links, const reference::Coords &x,
                            const reference::Spinor &sum) const
    {
      if (!twisted && !clover) return sum;
      reference::SiteMatrix A = reference::SiteMatrix::Identity();
      if (clover) A = reference::clover_term_at(links, x, coefficient);
      if (!twisted) return reference::times(A.inverse(), sum);
      const reference::SiteMatrix square = A * A + mu * mu * reference::SiteMatrix::Identity();
      const reference::Spinor divided = reference::times(square.inverse(), sum);
      const reference::Spinors turned = reference::twist({divided}, -mu);
      return reference::times(A, divided) + turned[0] - divided;
    }
  };

  class Hop : public Kernel
  {
  public:
    Hop(const Setting &setting, const Local &local, bool sums)
        : host_(*setting.host)
        , local_(local)
        , sums_(sums)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , start_(host_.native_spinors(setting.precision, setting.nrhs, 0))
    {
      for (int p = 0; p < 2; p++) field_.push_back(host_.native_spinors(setting.precision, setting.nrhs, p));
      host_.fill(start_);
      if (local_.clover) make_terms();
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
    static Work work(const Setting &s, const Local &local, bool sums)
    {
      const double scale = s.precision == Precision::half ? sizeof(float) : 0; // a record of fixed point
      const double term = local.terms() * (clover_reals * s.real() + CloverField::blocks * scale);
      Work work;
      work.flops = (hop_flops + local.flops() + (sums ? sum_flops : 0)) * s.sites() / 2 * s.nrhs;
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
          return local_.times(host_.links(), x, sum);
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
      Sums sums;
      const Epilogue end {.b = b, .norm = sums_};
      const TwistTerm term = {1, mu, 0};
      const HopTwist twist = {local_.clover ? term.adjoint() : term.inverse(), HopTwist::sum};
      if (local_.twisted && inverse_)
        clover_hop(out, in, links_, {*inverse_, true, 0, &*term_, twist}, false, end, &sums);
      else if (local_.twisted)
        twisted_hop(out, in, links_, twist, false, end, &sums);
      else if (inverse_)
        clover_hop(out, in, links_, {*inverse_, true, 0}, false, end, &sums);
      else
        wilson_hop(out, in, links_, false, end, &sums);
    }

    void make_terms()
    {
      const GaugeField links = host_.native_links(Precision::double_, Reconstruct::none);
      CloverField term = host_.native_clover(Precision::double_), inverse = host_.native_clover(Precision::double_);
      clover_term(term, links, coefficient);
      term_.emplace(host_.native_clover(links_.precision()));
      *term_ = term;
      if (local_.twisted) {
        clover_square(inverse, term, mu * mu);
        term = inverse;
      }
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
    Local local_;
    bool sums_;
    GaugeField links_;
    std::optional<CloverField> term_, inverse_;
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

  /// What is local times the hop, site by site.
  Maker plain_local(const Local &local)
  {
    return plain([=](HostData &host) {
      const reference::Lattice &lattice = host.lattice();
      reference::Spinors result = reference::Wilson(host.links()).hop_to(1, reference::half_of(host.spinors(), 0));
#pragma omp parallel for
      for (std::size_t x = 0; x < result.size(); x++)
        result[x] = local.times(host.links(), lattice.coords(lattice.half() + x), result[x]);
      return result;
    });
  }

  Entry hop(const char *name, const Local &local, bool sums, std::vector<std::string> tables, bool cut = false)
  {
    const bool bare = !local.clover && !local.twisted;
    return {.name = name,
            .needs = Needs::links_and_spinors,
            .computes = Computes::any,
            .tables = std::move(tables),
            .features = std::string("stencil, requests ahead") + (sums ? ", exact sums" : "") + (cut ? ", halo" : ""),
            .cut = cut,
            .most_reference = bare ? 16 * 16 * 16 * 32 : 16 * 16 * 16 * 16,
            .work = [=](const Setting &s) { return Hop::work(s, local, sums); },
            .make = [=](const Setting &s) { return std::make_unique<Hop>(s, local, sums); },
            .reference = bare ? made<PlainWilson> : plain_local(local)};
  }

  const Registered hops[] = {hop("wilson", {}, false, {"wilson"}),
                             hop("clover", {.clover = true}, false, {"clover"}),
                             hop("twisted", {.twisted = true}, false, {"wilson"}),
                             hop("twisted_clover", {.clover = true, .twisted = true}, false, {"clover"}),
                             hop("wilson_sums", {}, true, {"wilson_sums"}),
                             hop("clover_sums", {.clover = true}, true, {"clover_sums"}),
                             hop("wilson_cut", {}, false, {"wilson", "wilson_pack", "halo_unpack"}, true)};

} // namespace

} // namespace quda::bench
