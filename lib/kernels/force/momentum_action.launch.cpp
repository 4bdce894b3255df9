/// Kinetic energy of momenta: sum_{x mu} sum_ij |A_ij|^2 / 2, exact over sites; no constant.
/// A         : (mu 4, parity 2, x_cb, 10 reals), no border; one entry a site, mu in order.
/// Halo      : none. Collective: no. Flops: 76 a site. Bytes: each number once.

#include "device/anti_hermitian.h"
#include "device/array.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/force/momentum_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct MomentumActionArg : SiteArg {
  using real = Real<S>;
  Momentum<S> momentum;

  MomentumActionArg(const MomentumActionCall &c, const TuneParam &)
      : SiteArg(c.momentum.field.lattice, 2)
      , momentum(c.momentum)
  {
  }
};

template <class Arg> struct MomentumAction : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    array<real, 1> sum;
    sum[0] = arg.momentum.read(here, 0).half_norm2();
    for (int mu = 1; mu < 4; mu++) sum[0] = sum[0] + arg.momentum.read(here, mu).half_norm2();
    return sum;
  }
};

QUDA_INSTANCES(momentum_action, MomentumActionCall, Sum2D<MomentumAction, MomentumActionArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
