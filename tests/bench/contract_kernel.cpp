/// contract_open, contract_bilinears: two spinor fields of both parities, site by site, 16 complex numbers a site. 288
/// and 544 flops a site; each spinor once, each result once.

#include <algorithm>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/contract/sitewise.h"
#include "reference/contract/sitewise.h"

namespace quda::bench
{

namespace
{

  constexpr double result_reals = 32;
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
      ColorSpinorParam param = y_.param();
      param.order = DiracOrder::dirac;
      param.precision = Precision::double_;
      param.location = Location::host;
      param.create = Create::reference;
      param.data = y.front().data();
      y_ = ColorSpinorField(param);
    }
    void run() override { contract(x_, y_, result_, type); }
    static Work work(const Setting &s)
    {
      return {.flops = flops_of(type) * s.sites() * s.nrhs,
              .read = 2 * s.spinors(),
              .written = result_reals * s.real() * s.sites() * s.nrhs,
              .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(result_);
    }

  private:
    std::size_t half() const { return host_.lattice().half(); }
    /// The second field: the first, site by site from the end.
    const reference::Spinor &other(int parity, std::size_t x_cb)
    {
      return host_.spinors()[2 * half() - 1 - (parity * half() + x_cb)];
    }

    HostData &host_;
    ColorSpinorField x_, y_;
    SiteField result_;
  };

  template <Contraction type> Entry contraction(const char *name)
  {
    return {.name = name,
            .tables = {name},
            .features = "streaming stores",
            .work = Contract<type>::work,
            .make = made<Contract<type>>,
            .reference = plain([](HostData &host) {
              const reference::Spinors &x = host.spinors();
              std::vector<double> result(x.size() * 32);
#pragma omp parallel for
              for (std::size_t i = 0; i < x.size(); i++) {
                const reference::SpinMatrix one = expected(x[i], x[x.size() - 1 - i], type);
                std::copy_n(reinterpret_cast<const double *>(one.data()), 32, &result[32 * i]);
              }
              return result;
            })};
  }

  const Registered contractions[] = {contraction<Contraction::open>("contract_open"),
                                     contraction<Contraction::bilinears>("contract_bilinears")};

} // namespace

} // namespace quda::bench
