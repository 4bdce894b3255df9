#pragma once
/// Kinetic energy of momenta: sum_{x mu} sum_ij |A_ij|^2 / 2, exact over sites; no constant.
/// A         : (mu 4, parity 2, x_cb, 10 reals), no border; one entry a site, mu in order.
/// Halo      : none. Collective: no. Flops: 76 a site. Bytes: each number once.
/// Instances : double, single = 2.

#include "core/tune_param.h"
#include "device/anti_hermitian.h"
#include "device/array.h"
#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct MomentumActionArg {
  using real = Real<T>;
  unsigned threads[3];
  int active;
  Index index;
  Momentum<T> momentum;

  template <class Call> MomentumActionArg(const Call &c, const TuneParam &)
      : index(c.momentum.field.lattice)
      , momentum(c.momentum)
  {
    threads[0] = index.registers();
    threads[1] = 2;
    threads[2] = 1;
    active = index.active();
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

} // namespace quda::QUDA_TARGET_NAMESPACE
