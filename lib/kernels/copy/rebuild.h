#pragma once
/// Whole links from links that are stored by two rows.
/// from : reconstruct 12; to: 18 reals, same lattice, precision and border; (mu 4, parity 2, x_cb, row 3, col 3).
/// Halo : none; borders are not written. Collective: no. Instances: double, single = 2.

#include "core/tune_param.h"
#include "device/gauge.h"
#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct RebuildArg {
  unsigned threads[3];
  Index index;
  Gauge<T, 12> from;
  Storage<T, 18> to;

  template <class Call> explicit RebuildArg(const Call &c)
      : index(c.to.lattice)
      , from(c.from)
      , to(c.to)
  {
    threads[0] = index.registers();
    threads[1] = 2;
    threads[2] = 4;
  }
};

template <class Arg> struct Rebuild : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    const auto u = arg.from.matrix(here, mu);
    decltype(u.e[0].re + u.e[0].re) v[18];
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) {
      v[2 * k] = u.e[k].re;
      v[2 * k + 1] = u.e[k].im;
    }
    arg.to.write(here, mu, v);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
