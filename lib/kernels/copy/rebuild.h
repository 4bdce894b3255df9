#pragma once
/// Whole links from compressed ones, and compressed ones from whole.
///   Rebuild  from : reconstruct 12 or 8; to: 18 reals
///   Compress from : 18 reals; to: reconstruct 8. (Two rows are a copy.)
/// from, to  : (mu 4, parity 2, x_cb, ...), of one lattice, precision and border.
/// Halo      : none; borders are not written. Collective: no. Flops: 42 a link of two rows, some 200 of eight numbers.
/// Instances : double, single x 12, 8 of the one, x 8 of the other = 6.

#include "core/tune_param.h"
#include "device/gauge.h"
#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct RebuildArg {
  unsigned threads[3];
  Index index;
  Gauge<T, recon> from;
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

template <class T> struct CompressArg {
  using number = T;
  unsigned threads[3];
  Index index;
  Gauge<T, 18> from;
  Storage<T, 8> to;

  template <class Call> explicit CompressArg(const Call &c)
      : index(c.to.lattice)
      , from(c.from)
      , to(c.to)
  {
    threads[0] = index.registers();
    threads[1] = 2;
    threads[2] = 4;
  }
};

template <class Arg> struct Compress : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    Real<T> v[8];
    pack_8<T>(v, arg.from.matrix(here, mu));
    arg.to.write(here, mu, v);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
