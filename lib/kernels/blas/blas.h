#pragma once
/// Linear algebra on whole native fields, any number of reals a site.
///   Copy   z = x
///   Axpyz  z = a x + y
///   Norm2  sum |x|^2: the squares of one site and inner entry in the order of its reals in four interleaved chains,
///          one entry a site and inner entry into the exact sum.
/// x, y, z   : (parity, x_cb, inner, reals); z may be x or y.
/// Halo      : none. Collective: no. Flops: 0, 2 and 2 a real. Bytes: each real once.
/// Instances : double, single = 2 of each.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/kernel_ops.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct BlasArg {
  using number = T;
  using real = Real<T>;
  unsigned threads[3];
  int active;
  FieldView x, y, z;
  int parities;
  T a;
  bool streaming;

  template <class Call> BlasArg(const Call &c, const TuneParam &tp)
      : x(c.x)
      , y(c.y)
      , z(c.z)
      , parities(c.parities)
      , a(static_cast<T>(c.a))
      , streaming(tp.aux[1])
  {
    const Index index(x.lattice);
    threads[0] = index.registers();
    threads[1] = parities * x.inner;
    threads[2] = 1;
    active = index.active();
  }
};

template <class Arg> struct BlasCopy : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int entry) const
  {
    const int p = entry % arg.parities, i = entry / arg.parities;
    const auto x = register_record<T>(arg.x, n, p, i);
    const auto z = register_record<T>(arg.z, n, p, i);
    for (int k = 0; k < arg.x.reals; k++) z.put(k, x.get(k), arg.streaming);
  }
};

template <class Arg> struct BlasAxpyz : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int entry) const
  {
    const int p = entry % arg.parities, i = entry / arg.parities;
    const auto x = register_record<T>(arg.x, n, p, i);
    const auto y = register_record<T>(arg.y, n, p, i);
    const auto z = register_record<T>(arg.z, n, p, i);
    const typename Arg::real a(arg.a);
    for (int k = 0; k < arg.x.reals; k++) z.put(k, fma(a, x.get(k), y.get(k)), arg.streaming);
  }
};

template <class Arg> struct BlasNorm2 : NoKernelOps {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 1> operator()(unsigned n, int entry) const
  {
    const auto x = register_record<T>(arg.x, n, entry % arg.parities, entry / arg.parities);
    real chain[4] = {real(T(0)), real(T(0)), real(T(0)), real(T(0))};
    int k = 0;
    for (; k + 4 <= arg.x.reals; k += 4) {
      QUDA_UNROLL
      for (int j = 0; j < 4; j++) {
        const real v = x.get(k + j);
        chain[j] = fma(v, v, chain[j]);
      }
    }
    for (; k < arg.x.reals; k++) {
      const real v = x.get(k);
      chain[0] = fma(v, v, chain[0]);
    }
    array<real, 1> sum;
    sum[0] = (chain[0] + chain[1]) + (chain[2] + chain[3]);
    return sum;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
