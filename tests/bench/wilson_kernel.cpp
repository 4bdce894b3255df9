/// wilson: the hop from one parity to the other, no xpay, the two parities in turn, each one's output the other's
/// input. 1,320 flops a site written; links once for all right-hand sides, spinors read once and written once.
/// clover: the inverse clover term times that hop. 504 flops and 72 reals more a site written.

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

  constexpr double hop_flops = 1320, clover_flops = 504, clover_reals = 72;
  constexpr double coefficient = 0.125; // of the clover term

  class Hop : public Kernel
  {
  public:
    Hop(const Setting &setting, bool clover)
        : host_(*setting.host)
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
    double flops() const override { return (hop_flops + (inverse_ ? clover_flops : 0)) * sites() * start_.inner(); }
    double bytes() const override
    {
      const double scale = links_.precision() == Precision::half ? sizeof(float) : 0; // a record of fixed point
      const double real = bytes_of(links_.precision());
      const double beside = 8.0 * static_cast<int>(links_.reconstruct()) * real +
                            (inverse_ ? clover_reals * real + CloverField::blocks * scale : 0);
      return sites() * (beside + 2 * (24 * real + scale) * start_.inner());
    }
    /// Five numbers are read for one written with reconstruct 12, seven with 18.
    Shape shape() const override { return start_.inner() == 1 ? Shape::gather : Shape::other; }
    /// Links and both halves of the spinors.
    double working_set() const override { return bytes(); }

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

  private:
    void hop(ColorSpinorField &out, const ColorSpinorField &in, double b)
    {
      if (inverse_)
        clover_hop(out, in, links_, {*inverse_, true, 0}, false, b);
      else
        wilson_hop(out, in, links_, false, b);
    }

    void make_inverse()
    {
      const GaugeField links = host_.native_links(Precision::double_, Reconstruct::none);
      CloverParam param;
      param.lattice = links.shared_lattice();
      CloverField term(param), inverse(param);
      clover_term(term, links, coefficient);
      clover_inverse(&inverse, term);
      param.precision = links_.precision();
      inverse_.emplace(param);
      *inverse_ = inverse;
    }

    double sites() const { return static_cast<double>(links_.lattice().volume_cb()); }

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
    double flops() const override { return hop_flops * static_cast<double>(start_.size()); }
    double bytes() const override { return (8.0 * 18 + 48) * sizeof(double) * static_cast<double>(start_.size()); }
    double working_set() const override { return bytes(); }
    bool check() override { return true; }

  private:
    reference::Wilson operator_;
    reference::Spinors start_, psi_;
    int parity_ = 0;
  };

  template <bool clover> std::unique_ptr<Kernel> hop(const Setting &setting)
  {
    return std::make_unique<Hop>(setting, clover);
  }

  const Registered wilson("wilson", Variant::library, Needs::links_and_spinors, hop<false>, Computes::any);
  const Registered plain_wilson("wilson", Variant::reference, Needs::links_and_spinors, made<PlainWilson>);
  const Registered clover("clover", Variant::library, Needs::links_and_spinors, hop<true>, Computes::any);

} // namespace

} // namespace quda::bench
