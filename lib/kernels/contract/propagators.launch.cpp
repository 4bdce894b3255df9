/// Contractions of two propagators, site by site: nothing is summed over sites. X_{b c, s k}: column s k of the source,
/// spin b and colour c of the sink.
///   One spin   : C(x) = sum_k sum_c conj(X_{c, k}(x)) Y_{c, k}(x)
///   Four spins : C_G(x) = tr X(x)^dag (gamma5 Gamma_G) Y(x) (gamma5 Gamma_G), colours summed, DeGrand-Rossi basis,
///                gamma5 = gamma_1 gamma_2 gamma_3 gamma_4, sigma_ij = (i / 2) [gamma_i, gamma_j]; G = 0 ... 15:
///                gamma_1 to 4 | gamma5 gamma_1 to 4 | 1 | gamma5 | sigma_12, 13, 14, 23, 24, 34
/// X, Y      : (parity, x_cb, column, spin, color 3) complex. X may be Y.
/// out       : (parity, x_cb, G) complex, overwritten; must not alias X or Y.
/// Sums      : over source and sink colours in one fused chain; then over the sink's spins, then over the source's.
/// Halo      : none. Collective: no.
/// Flops     : 24 a pair of columns (four spins: 1824 a colour of the source and 24 G's four sums).
/// Bytes     : each column once, ideally.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/register_place.h"
#include "device/site_arg.h"
#include "kernels/contract/bilinear.h"
#include "kernels/contract/propagators_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct PropagatorsArg : SiteArg {
  static constexpr int spins = n;
  using real = Real<S>;
  Storage<S, 6 * spins> x, y;
  Storage<S, 2> out;
  int colors;

  PropagatorsArg(const PropagatorsCall &c, const TuneParam &)
      : SiteArg(c.x.lattice, 2)
      , x(c.x)
      , y(c.y)
      , out(c.out)
      , colors(c.colors)
  {
  }
};

template <class Arg> struct ContractPropagators : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void put(const Place &here, int G, const Complex<real> &c, bool turned) const
  {
    const real v[2] = {turned ? -c.re : c.re, turned ? -c.im : c.im};
    arg.out.write(here, G, v);
  }

  /// gamma5 Gamma_G has its entries at (b, b ^ m), equal except for signs and a factor i: the four of one m, by signs.
  template <int m> QUDA_DEVICE SignedSums<real> traces(const Place &here) const
  {
    const Complex<real> zero = {real(0.0), real(0.0)};
    SignedSums<real> sum = {zero, zero, zero, zero};
    QUDA_UNROLL
    for (int b = 0; b < 4; b++) {
      Complex<real> p[4] = {zero, zero, zero, zero};
      for (int k = 0; k < arg.colors; k++) {
        const auto x = arg.x.read(here, (b ^ m) * arg.colors + k);
        const auto y = arg.y.read(here, b * arg.colors + k);
        QUDA_UNROLL
        for (int s = 0; s < 4; s++) p[s] = add_color_product(x, s, y, s ^ m, p[s]);
      }
      const SignedSums<real> of_sink = signed_sums(p);
      sum.pp = sum.pp + of_sink.pp;
      sum.pm = b < 2 ? sum.pm + of_sink.pm : sum.pm - of_sink.pm;
      sum.mp = b % 2 == 0 ? sum.mp + of_sink.mp : sum.mp - of_sink.mp;
      sum.mm = b % 3 == 0 ? sum.mm + of_sink.mm : sum.mm - of_sink.mm;
    }
    return sum;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Place here = register_place(x_cb, parity);
    if constexpr (Arg::spins == 1) {
      Complex<real> sum = {real(0.0), real(0.0)};
      for (int k = 0; k < arg.colors; k++) sum = add_color_product(arg.x.read(here, k), 0, arg.y.read(here, k), 0, sum);
      put(here, 0, sum, false);
    } else {
      const SignedSums<real> third = traces<3>(here);
      put(here, 0, third.pp, true);
      put(here, 1, third.mp, false);
      put(here, 4, third.pm, true);
      put(here, 5, third.mm, false);
      const SignedSums<real> second = traces<2>(here);
      put(here, 2, second.mp, true);
      put(here, 3, second.pm, false);
      put(here, 6, second.mm, true);
      put(here, 7, second.pp, false);
      const SignedSums<real> diagonal = traces<0>(here);
      put(here, 8, diagonal.pm, false);
      put(here, 9, diagonal.pp, false);
      put(here, 10, diagonal.mm, false);
      put(here, 15, diagonal.mp, false);
      const SignedSums<real> first = traces<1>(here);
      put(here, 11, first.mm, true);
      put(here, 12, first.pp, false);
      put(here, 13, first.pm, false);
      put(here, 14, first.mp, true);
    }
  }
};

/// Variants: spins of the fields.
QUDA_INSTANCES(contract_propagators, PropagatorsCall, Launch2D<ContractPropagators, PropagatorsArg>, Floating,
               Variants<4, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
