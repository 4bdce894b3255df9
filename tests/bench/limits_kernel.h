#pragma once
/// Kernels of the machine's limits: copy, triad, update, gather and dot from memory, multiply-adds in registers. They
/// are written and launched as the library's kernels are, but have no site, no lattice and nothing between loads and
/// stores.

#include "bench/limits_table.h"
#include "device/kernel_ops.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct LimitArg {
  using number = T;
  using real = Real<T>;
  unsigned threads[3];
  Storage<T, bench::limit_reals> x, y, z;
  unsigned near, far;
  T a, b;
  int ahead; // records
  bool streaming;

  LimitArg(const bench::LimitCall &c, const TuneParam &tp)
      : threads {c.count, 1, 1}
      , x(c.x)
      , y(c.y)
      , z(c.z)
      , near(c.near)
      , far(c.far)
      , a(static_cast<T>(c.a))
      , b(static_cast<T>(c.b))
      , ahead(bench::ahead_step * tp.prefetch)
      , streaming(tp.streaming)
  {
  }
};

QUDA_DEVICE Place record_place(unsigned n) { return {n, 0, 0, false, nullptr}; }

template <class Arg, class Storage>
QUDA_DEVICE void prefetch_ahead(const Arg &arg, const Storage &storage, const Place &at)
{
  if (arg.ahead) storage.prefetch(at, 0, arg.ahead);
}

template <class Arg> struct LimitFill : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real a[bench::limit_reals], b[bench::limit_reals];
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++) {
      a[k] = real(arg.a);
      b[k] = real(arg.b);
    }
    arg.x.write(record_place(n), 0, a, arg.streaming);
    arg.y.write(record_place(n), 0, a, arg.streaming);
    arg.z.write(record_place(n), 0, b, arg.streaming);
  }
};

template <class Arg> struct LimitNothing : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned) const {}
};

template <class Arg> struct LimitCopy : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    typename Arg::real v[bench::limit_reals];
    prefetch_ahead(arg, arg.x, record_place(n));
    const auto x = arg.x.read(record_place(n), 0);
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++) v[k] = x[k];
    arg.z.write(record_place(n), 0, v, arg.streaming);
  }
};

template <class Arg> struct LimitTriad : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real v[bench::limit_reals];
    const real a(arg.a);
    prefetch_ahead(arg, arg.x, record_place(n));
    prefetch_ahead(arg, arg.y, record_place(n));
    const auto x = arg.x.read(record_place(n), 0);
    const auto y = arg.y.read(record_place(n), 0);
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++) v[k] = fma(a, x[k], y[k]);
    arg.z.write(record_place(n), 0, v, arg.streaming);
  }
};

/// In place: what is written was read, nothing is fetched only to be overwritten.
template <class Arg> struct LimitUpdate : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real v[bench::limit_reals];
    const real a(arg.a);
    prefetch_ahead(arg, arg.x, record_place(n));
    prefetch_ahead(arg, arg.z, record_place(n));
    const auto x = arg.x.read(record_place(n), 0);
    const auto z = arg.z.read(record_place(n), 0);
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++) v[k] = fma(a, x[k], z[k]);
    arg.z.write(record_place(n), 0, v, arg.streaming);
  }
};

/// Much is read and little written, as by a hop: six lines of addresses to one.
template <class Arg> struct LimitGather : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real v[bench::limit_reals];
    QUDA_UNROLL
    for (unsigned i = 0; i < bench::gather_streams; i++) {
      const auto &from = i % 2 ? arg.y : arg.x;
      const Place at = record_place(n + i / 2 * arg.far);
      prefetch_ahead(arg, from, at);
      const auto x = from.read(at, 0);
      QUDA_UNROLL
      for (int k = 0; k < bench::limit_reals; k++) v[k] = i == 0 ? x[k] : v[k] + x[k];
    }
    arg.z.write(record_place(n), 0, v, arg.streaming);
  }
};

template <class Arg> struct LimitDot : NoKernelOps {
  using real = typename Arg::real;
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real sum[bench::limit_reals];
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++) sum[k] = real(T(0));
    for (unsigned i = 0; i < bench::dot_chunk; i++) {
      const Place at = record_place(n * arg.near + i * arg.far);
      prefetch_ahead(arg, arg.x, at);
      prefetch_ahead(arg, arg.y, at);
      const auto x = arg.x.read(at, 0);
      const auto y = arg.y.read(at, 0);
      QUDA_UNROLL
      for (int k = 0; k < bench::limit_reals; k++) sum[k] = fma(x[k], y[k], sum[k]);
    }
    arg.z.write(record_place(n), 0, sum);
  }
};

/// Independent chains, enough of them to hide the latency of two units.
template <class Arg> struct LimitFma : NoKernelOps {
  using real = typename Arg::real;
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    real c[bench::fma_chains];
    const real a(arg.a), b(arg.b);
    const auto x = arg.x.read(record_place(n), 0);
    QUDA_UNROLL
    for (int k = 0; k < bench::fma_chains; k++) c[k] = x[k % bench::limit_reals] + real(T(k));
    for (int i = 0; i < bench::fma_steps; i++) {
      QUDA_UNROLL
      for (int k = 0; k < bench::fma_chains; k++) c[k] = fma(c[k], a, b);
    }
    real v[bench::limit_reals];
    QUDA_UNROLL
    for (int k = 0; k < bench::limit_reals; k++)
      v[k] = k + bench::limit_reals < bench::fma_chains ? c[k] + c[k + bench::limit_reals] : c[k];
    arg.z.write(record_place(n), 0, v);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
