/// Terms of operators that stay on a site, on spinors of both parities: twist, the twisted-mass term of a doublet and
/// of one flavour (120 and 72 flops a site and flavour); matrices in a fifth dimension of eight slices, of neighbours
/// and an inverse (120 and 168 flops a site and slice), and that inverse after Wilson's hop (1,320 more). Each spinor read
/// once and written once.

#include <cmath>

#include <Eigen/LU>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/fifth.h"
#include "ops/dirac/twist.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/fifth.h"
#include "reference/dirac/twist.h"
#include "reference/dirac/wilson.h"

namespace quda::bench
{

namespace
{

  constexpr int slices = 8;
  const TwistTerm doublet = {0.8, 0.5, -0.3}, single = {0.8, 0.5, 0};
  constexpr double beside = -0.4, wall = 0.1;
  FifthMatrix m5() { return {FifthMatrix::Numbers(slices, 1.0), FifthMatrix::Numbers(slices, beside), wall}; }

  /// All right-hand sides are the same; layer i of one is i + 1 times the host's spinors.
  class SiteTerm : public Kernel
  {
  public:
    SiteTerm(const Setting &s, int fifth, int flavours)
        : in_(layered(s, fifth, flavours))
        , out_(in_.param())
    {
      Setting one = s;
      one.nrhs = 1;
      ColorSpinorField column = layered(one, fifth, flavours);
      s.host->fill(column);
      for (int n = 0; n < s.nrhs; n++) in_.columns(n, 1) = column;
      in_.mark_written();
    }
    Checksum checksum() override
    {
      run();
      const std::vector<double> first = numbers_of(0);
      for (int n = 1; n < out_.rhs(); n++)
        if (numbers_of(n) != first) return checksum_of(std::nan(""));
      return checksum_of(first);
    }

  protected:
    ColorSpinorField in_, out_;

  private:
    static ColorSpinorField layered(const Setting &s, int fifth, int flavours)
    {
      ColorSpinorParam param = s.host->native_spinors(s.precision, s.nrhs).param();
      param.fifth = fifth;
      param.flavours = flavours;
      return ColorSpinorField(param);
    }
    std::vector<double> numbers_of(int n) const
    {
      const ColorSpinorField column = out_.columns(n, 1);
      ColorSpinorParam param = column.param();
      std::vector<double> numbers(column.sites() * column.inner() * column.reals());
      param.order = DiracOrder::dirac;
      param.precision = Precision::double_;
      param.location = Location::host;
      param.create = Create::reference;
      param.data = numbers.data();
      ColorSpinorField host(param);
      host = column;
      return numbers;
    }
  };

  template <int flavours> class Twist : public SiteTerm
  {
  public:
    explicit Twist(const Setting &s)
        : SiteTerm(s, 1, flavours)
    {
    }
    void run() override { apply_twist(out_, in_, flavours == 2 ? doublet : single); }
    static Work work(const Setting &s)
    {
      return {.flops = (flavours == 2 ? 240 : 72) * s.sites() * s.nrhs,
              .read = flavours * s.spinors(),
              .written = flavours * s.spinors(),
              .shape = Shape::copy};
    }
  };

  template <int terms> class Fifth : public SiteTerm
  {
  public:
    explicit Fifth(const Setting &s)
        : SiteTerm(s, slices, 1)
    {
    }
    void run() override { apply_fifth(out_, in_, matrix_); }
    static Work work(const Setting &s)
    {
      return {.flops = slices * (terms == 2 ? 120.0 : 168.0) * s.sites() * s.nrhs,
              .read = slices * s.spinors(),
              .written = slices * s.spinors(),
              .shape = Shape::copy};
    }

  private:
    const FifthMatrix matrix_ = terms == 2 ? m5() : m5().inverse();
  };

  /// The inverse of a hop, in one kernel or in two.
  class FifthHop : public SiteTerm
  {
  public:
    explicit FifthHop(const Setting &s)
        : SiteTerm(s, slices, 1)
        , links_(s.host->native_links(s.precision, s.reconstruct))
    {
    }
    void run() override
    {
      if (has_fifth_hop(links_, inverse_)) return fifth_hop(out_, in_, links_, inverse_, false);
      wilson_hop(out_, in_, links_, false);
      apply_fifth(out_, out_, inverse_);
    }
    static Work work(const Setting &s)
    {
      return {.flops = slices * (1320 + 168.0) * s.sites() * s.nrhs,
              .read = 2 * s.links() + slices * s.spinors(),
              .written = slices * s.spinors()};
    }

  private:
    GaugeField links_;
    const FifthMatrix inverse_ = m5().inverse();
  };

  /// In the order parity, layer, site.
  std::vector<double> in_order(const reference::Slices &layers)
  {
    std::vector<double> all;
    for (int p = 0; p < 2; p++)
      for (const reference::Spinors &psi : layers)
        for (const reference::Spinor &v : reference::half_of(psi, p)) {
          const auto *z = reinterpret_cast<const double *>(v.data());
          all.insert(all.end(), z, z + 24);
        }
    return all;
  }
  reference::Slices layers_of(HostData &host, int n)
  {
    reference::Slices all(n, host.spinors());
    for (int i = 0; i < n; i++)
      for (reference::Spinor &v : all[i]) v *= i + 1.0;
    return all;
  }

  template <int flavours> std::vector<double> plain_twist(HostData &host)
  {
    reference::Slices all = layers_of(host, flavours);
    if (flavours == 1) {
      all[0] = reference::twist(all[0], single.a);
    } else {
      const reference::Doublet out = reference::twist(reference::Doublet {all[0], all[1]}, doublet.a, doublet.b);
      all = {out[0], out[1]};
    }
    std::vector<double> numbers = in_order(all);
    for (double &x : numbers) x *= doublet.scale;
    return numbers;
  }
  template <int terms> std::vector<double> plain_fifth(HostData &host)
  {
    reference::FifthMatrix M = reference::fifth_matrix(slices, 1, beside, wall, false);
    if (terms > 2) M = M.inverse().eval();
    return in_order(reference::times(M, layers_of(host, slices)));
  }

  std::vector<double> plain_fifth_hop(HostData &host)
  {
    const reference::Wilson D(host.links());
    reference::Slices psi = layers_of(host, slices);
    for (reference::Spinors &one : psi) one = D.hop(one);
    return in_order(reference::times(reference::fifth_matrix(slices, 1, beside, wall, false).inverse().eval(), psi));
  }

  constexpr int most_sites = 8 * 8 * 8 * 16;

  const Registered site_terms[] = {
      Entry {.name = "twist_doublet",
             .computes = Computes::any,
             .tables = {"twist"},
             .features = "shared cache",
             .most_reference = most_sites,
             .work = Twist<2>::work,
             .make = made<Twist<2>>,
             .reference = plain(plain_twist<2>)},
      Entry {.name = "twist",
             .computes = Computes::any,
             .tables = {"twist"},
             .most_reference = most_sites,
             .work = Twist<1>::work,
             .make = made<Twist<1>>,
             .reference = plain(plain_twist<1>)},
      Entry {.name = "fifth",
             .computes = Computes::any,
             .tables = {"fifth"},
             .features = "shared cache",
             .dims = {8, 8, 16, 32},
             .most_reference = most_sites,
             .work = Fifth<2>::work,
             .make = made<Fifth<2>>,
             .reference = plain(plain_fifth<2>)},
      Entry {.name = "fifth_inverse",
             .computes = Computes::any,
             .tables = {"fifth"},
             .features = "shared cache",
             .dims = {8, 8, 16, 32},
             .most_reference = most_sites,
             .work = Fifth<slices>::work,
             .make = made<Fifth<slices>>,
             .reference = plain(plain_fifth<slices>)},
      Entry {.name = "fifth_hop",
             .needs = Needs::links_and_spinors,
             .computes = Computes::any,
             .tables = {"fifth_hop"},
             .features = "stencil, requests ahead",
             .dims = {8, 8, 16, 32},
             .most_reference = most_sites,
             .work = FifthHop::work,
             .make = made<FifthHop>,
             .reference = plain(plain_fifth_hop)},
  };

} // namespace

} // namespace quda::bench
