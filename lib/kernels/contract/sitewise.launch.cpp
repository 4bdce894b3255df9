/// Contractions of two spinor fields, site by site.
///   Open      : C_{ab}(x) = sum_c conj(X_{ac}(x)) Y_{bc}(x), at 4 a + b; of fields of one spin, C_{00} only
///   Bilinears : B_G(x) = sum_{ab} (Gamma_G)_{ab} C_{ab}(x), DeGrand-Rossi basis, gamma5 = gamma_1 gamma_2 gamma_3
///               gamma_4, sigma_ij = (i / 2) [gamma_i, gamma_j]; G = 0 ... 15:
///                 1 | gamma_1 to 4 | gamma5 | gamma5 gamma_1 to 4 | sigma_12, 13, 14, 23, 24, 34
///               Unless `corrected`, entry 11 is -i gamma5 gamma_4 and entry 15 is -gamma5, as in QUDA.
/// X, Y      : (parity, x_cb, inner, spin, color 3) complex.
/// out       : (parity, x_cb, inner, spin^2) complex, overwritten; must not alias X or Y. X may be Y.
/// Sums      : over colours in their order, fused; over spins (0 + 1) + (2 + 3) of the rows of Gamma_G.
/// Memory    : two streams read, one written; prefetching beyond the processor's own only cost time.
/// Halo      : none. Collective: no.
/// Flops     : Open 288 (one spin: 18), Bilinears 544 a site in QUDA's flop convention; actually 352 (22) and 416.
/// Bytes     : ContractSites::bytes().

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/register_place.h"
#include "device/site_arg.h"
#include "kernels/contract/bilinear.h"
#include "kernels/contract/sitewise_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct SitewiseArg : SiteArg {
  static constexpr int spins = n;
  static constexpr int entries = spins * spins;
  using real = Real<S>;
  Storage<S, 6 * spins> x, y;
  Storage<S, 2 * entries> out;
  int inner;
  bool corrected;
  bool streaming; // stores past the cache

  SitewiseArg(const SitewiseCall &c, const TuneParam &tp)
      : SiteArg(c.x.lattice, c.parities)
      , x(c.x)
      , y(c.y)
      , out(c.out)
      , inner(c.x.inner)
      , corrected(c.corrected)
      , streaming(tp.streaming)
  {
  }
};

template <class Arg> struct ContractOpen : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Place here = register_place(x_cb, parity);
    for (int i = 0; i < arg.inner; i++) {
      const auto x = arg.x.read(here, i);
      const auto y = arg.y.read(here, i);
      real v[2 * Arg::entries];
      QUDA_UNROLL
      for (int k = 0; k < Arg::entries; k++) {
        const Complex<real> c = color_product<real>(x, k / Arg::spins, y, k % Arg::spins);
        v[2 * k] = c.re;
        v[2 * k + 1] = c.im;
      }
      arg.out.write(here, i, v, arg.streaming);
    }
  }
};

/// Each Gamma_G has its entries at (a, a ^ m) for one m = 0 ... 3, equal except for signs (++++), (++--), (+-+-),
/// (+--+): four products, then four sums of them with a factor +-1 or +-i.
template <class Arg> struct ContractBilinears : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  template <int m, class Record> QUDA_DEVICE static SignedSums<real> sums(const Record &x, const Record &y)
  {
    Complex<real> p[4];
    QUDA_UNROLL
    for (int a = 0; a < 4; a++) p[a] = color_product<real>(x, a, y, a ^ m);
    return signed_sums(p);
  }

  /// Entry g is i^k c.
  template <int k> QUDA_DEVICE static void put(real (&v)[32], int g, const Complex<real> &c)
  {
    const Complex<real> turned = k == 0   ? c
                                 : k == 1 ? Complex<real> {-c.im, c.re}
                                 : k == 2 ? Complex<real> {-c.re, -c.im}
                                          : Complex<real> {c.im, -c.re};
    v[2 * g] = turned.re;
    v[2 * g + 1] = turned.im;
  }

  template <class Record> QUDA_DEVICE void bilinears(real (&v)[32], const Record &x, const Record &y) const
  {
    const SignedSums<real> diagonal = sums<0>(x, y);
    put<0>(v, 0, diagonal.pp);
    put<0>(v, 5, diagonal.pm);
    put<0>(v, 10, diagonal.mp);
    if (arg.corrected)
      put<2>(v, 15, diagonal.mm);
    else
      put<2>(v, 15, diagonal.pm);

    const SignedSums<real> third = sums<3>(x, y);
    put<1>(v, 1, third.pm);
    put<2>(v, 2, third.mm);
    put<1>(v, 6, third.pp);
    put<2>(v, 7, third.mp);

    const SignedSums<real> second = sums<2>(x, y);
    put<1>(v, 3, second.mm);
    put<0>(v, 4, second.pp);
    put<1>(v, 8, second.mp);
    put<0>(v, 9, second.pm);

    const SignedSums<real> first = sums<1>(x, y);
    if (arg.corrected)
      put<3>(v, 11, first.mp);
    else
      put<3>(v, 11, second.pm);
    put<2>(v, 12, first.pm);
    put<0>(v, 13, first.pp);
    put<3>(v, 14, first.mm);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Place here = register_place(x_cb, parity);
    for (int i = 0; i < arg.inner; i++) {
      real v[32];
      bilinears(v, arg.x.read(here, i), arg.y.read(here, i));
      arg.out.write(here, i, v, arg.streaming);
    }
  }
};

/// Variants: spins of the fields.
QUDA_INSTANCES(contract_open, SitewiseCall, Launch2D<ContractOpen, SitewiseArg>, Floating, Variants<4, 1>)
QUDA_INSTANCES(contract_bilinears, SitewiseCall, Launch2D<ContractBilinears, SitewiseArg>, Floating, Variants<4>)

} // namespace quda::QUDA_TARGET_NAMESPACE
