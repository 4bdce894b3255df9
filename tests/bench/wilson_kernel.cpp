/// wilson: the hop from one parity to the other, no xpay, the two parities in turn, each one's output the other's
/// input. 1,320 flops a site written; links once for all right-hand sides, spinors read once and written once.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/wilson.h"

namespace quda::bench
{

namespace
{

  constexpr double hop_flops = 1320;

  class Wilson : public Kernel
  {
  public:
    explicit Wilson(const Setting &setting)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , start_(host_.native_spinors(setting.precision, setting.nrhs, 0))
    {
      for (int p = 0; p < 2; p++) field_.push_back(host_.native_spinors(setting.precision, setting.nrhs, p));
      host_.fill(start_);
      find_scale();
    }

    void refresh() override
    {
      field_[0] = start_;
      parity_ = 0;
    }
    void run() override
    {
      wilson_hop(field_[1 - parity_], field_[parity_], links_, false, scale_);
      parity_ = 1 - parity_;
    }
    int turns() const override { return 2; }
    double flops() const override { return hop_flops * sites() * start_.inner(); }
    double bytes() const override
    {
      const double scales = links_.precision() == Precision::half ? 2 * sizeof(float) * start_.inner() : 0;
      return sites() *
             (bytes_of(links_.precision()) * (8.0 * static_cast<int>(links_.reconstruct()) + 48.0 * start_.inner()) +
              scales);
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
        wilson_hop(field_[p], field_[1 - p], links_, false, 1);
        good = host_.agrees(
                   field_[p],
                   [&](int parity, std::size_t x_cb) {
                     return plain.hop_at(
                         lattice.coords(parity * lattice.half() + x_cb), false,
                         [&](const reference::Coords &y) -> const reference::Spinor & { return psi[lattice.slot(y)]; });
                   },
                   allowed) &&
               good;
      }
      return good;
    }

  private:
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

  const Registered wilson("wilson", Variant::library, Needs::links_and_spinors, made<Wilson>, Computes::any);
  const Registered plain_wilson("wilson", Variant::reference, Needs::links_and_spinors, made<PlainWilson>);

} // namespace

} // namespace quda::bench
