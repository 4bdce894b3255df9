/// Quark fields times a factor of the coordinates: out(x) = (f_0(x_0) f_1(x_1)) (f_2(x_2) f_3(x_3)) in(x), f real.
/// in, out : (parity, x_cb, inner, spin, color 3) complex, of 4 spins or 1; out may be in.
/// Halo    : none. Collective: no.
/// Flops   : 2 a complex number. Instances: double, single, half x 4 spins, 1 = 6.

#include "device/coordinate_table.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/dirac/site_factor_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct SiteFactorArg : SiteArg {
  using real = Real<S>;
  static constexpr int reals = 6 * n;
  Storage<S, reals> out, in;
  CoordinateTable<number_of<S>> factors;
  int inner, parity;

  SiteFactorArg(const SiteFactorCall &c, const TuneParam &)
      : SiteArg(c.in.lattice, c.parities)
      , out(c.out)
      , in(c.in)
      , factors(c.factors, 1, c.in.lattice)
      , inner(c.in.inner)
      , parity(c.parity)
  {
  }
};

template <class Arg> struct SiteFactor : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, arg.threads[1] == 1 ? arg.parity : parity);
    const Place here = arg.index.here(x);
    const real factor =
        (arg.factors.at(x, 0, 0) * arg.factors.at(x, 1, 0)) * (arg.factors.at(x, 2, 0) * arg.factors.at(x, 3, 0));
    for (int i = 0; i < arg.inner; i++) {
      const auto q = arg.in.read(here, i);
      real v[Arg::reals];
      QUDA_UNROLL
      for (int k = 0; k < Arg::reals; k++) v[k] = factor * q[k];
      arg.out.write(here, i, v);
    }
  }
};

/// Variants: spins of the fields.
QUDA_INSTANCES(site_factor, SiteFactorCall, Launch2D<SiteFactor, SiteFactorArg>, Stored, Variants<4, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
