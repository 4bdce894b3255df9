/// contract_open, contract_dr: two spinor fields of both parities, site by site, 16 complex numbers a site. 288 and 544
/// flops a site; each spinor once, each result once.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/contract/sitewise.h"
#include "reference/contract/sitewise.h"

namespace quda::bench
{

namespace
{

  constexpr double result_reals = 32, spinor_reals = 24;
  double flops_of(Contraction type) { return type == Contraction::open ? 288 : 544; }

  reference::SpinMatrix expected(const reference::Spinor &x, const reference::Spinor &y, Contraction type)
  {
    static const auto gammas = reference::contraction_gammas(false);
    const reference::SpinMatrix open = reference::open_contraction(x, y);
    if (type == Contraction::open) return open;
    reference::SpinMatrix bilinears;
    for (int G = 0; G < 16; G++) bilinears.data()[G] = gammas[G].cwiseProduct(open).sum();
    return bilinears;
  }

  void describe_host(ColorSpinorParam &param) { param.order = DiracOrder::dirac; }
  void describe_host(SiteFieldParam &param) { param.native = false; }

  /// The field of another memory: host, double precision, over `data`.
  template <class F> F host_field(const F &like, void *data)
  {
    auto param = like.param();
    describe_host(param);
    param.precision = Precision::double_;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = data;
    return F(param);
  }

  template <Contraction type> class Contract : public Kernel
  {
  public:
    explicit Contract(const Setting &setting)
        : host_(*setting.host)
        , x_(host_.native_spinors(setting.precision, setting.nrhs))
        , y_(host_.native_spinors(setting.precision, setting.nrhs))
        , result_(contraction_param(x_, type))
    {
      host_.fill(x_);
      reference::Spinors y(host_.spinors().size() * setting.nrhs);
      for (int p = 0; p < 2; p++)
        for (int i = 0; i < setting.nrhs; i++)
          for (std::size_t x_cb = 0; x_cb < half(); x_cb++) y[(p * setting.nrhs + i) * half() + x_cb] = other(p, x_cb);
      y_ = host_field(y_, y.front().data());
    }
    void run() override { contract(x_, y_, result_, type); }
    double flops() const override { return flops_of(type) * sites(); }
    double bytes() const override { return working_set(); }
    Shape shape() const override { return Shape::copy; }
    double working_set() const override
    {
      return (2 * spinor_reals + result_reals) * bytes_of(x_.precision()) * sites();
    }
    bool check() override
    {
      run();
      std::vector<reference::SpinMatrix> found(static_cast<std::size_t>(sites()));
      host_field(result_, found.front().data()) = result_;
      const std::size_t step = host_.whole() ? 1 : 331; // no divisor of usual extents
      double largest = 0, squares = 0, n = 0;
      for (int p = 0; p < 2; p++)
        for (std::size_t x_cb = 0; x_cb < half(); x_cb += step) {
          const auto right = expected(host_.spinors()[p * half() + x_cb], other(p, x_cb), type);
          squares += right.squaredNorm();
          n += right.size();
          for (int i = 0; i < x_.inner(); i++) {
            const auto &here = found[(p * x_.inner() + i) * half() + x_cb];
            const double deviation = (here / (i + 1.0) - right).cwiseAbs().maxCoeff();
            if (!(deviation <= largest)) largest = deviation; // a NaN comes through
          }
        }
      return largest <= HostData::tolerance(x_.precision()) * std::sqrt(squares / n);
    }

  private:
    std::size_t half() const { return host_.lattice().half(); }
    double sites() const { return static_cast<double>(x_.sites()) * x_.inner(); }
    /// The second field: the first, site by site from the end.
    const reference::Spinor &other(int parity, std::size_t x_cb)
    {
      return host_.spinors()[2 * half() - 1 - (parity * half() + x_cb)];
    }

    HostData &host_;
    ColorSpinorField x_, y_;
    SiteField result_;
  };

  template <Contraction type> class PlainContract : public Kernel
  {
  public:
    explicit PlainContract(const Setting &setting)
        : x_(setting.host->spinors())
        , y_(x_.rbegin(), x_.rend())
        , result_(x_.size())
    {
    }
    void run() override
    {
#pragma omp parallel for
      for (std::size_t i = 0; i < x_.size(); i++) result_[i] = expected(x_[i], y_[i], type);
    }
    double flops() const override { return flops_of(type) * static_cast<double>(x_.size()); }
    double bytes() const override { return working_set(); }
    Shape shape() const override { return Shape::copy; }
    double working_set() const override
    {
      return (2 * spinor_reals + result_reals) * sizeof(double) * static_cast<double>(x_.size());
    }
    bool check() override { return true; }

  private:
    const reference::Spinors &x_;
    reference::Spinors y_;
    std::vector<reference::SpinMatrix> result_;
  };

  const Registered open("contract_open", Variant::library, Needs::spinors, made<Contract<Contraction::open>>);
  const Registered dr("contract_dr", Variant::library, Needs::spinors, made<Contract<Contraction::bilinears>>);
  const Registered plain_open("contract_open", Variant::reference, Needs::spinors,
                              made<PlainContract<Contraction::open>>);
  const Registered plain_dr("contract_dr", Variant::reference, Needs::spinors,
                            made<PlainContract<Contraction::bilinears>>);

} // namespace

} // namespace quda::bench
