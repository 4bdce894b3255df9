#pragma once
/// Kernels that use the caches: what a thread keeps for itself, and what the threads of a block exchange.

#include "device/array.h"
#include "device/elements.h"
#include "device/shared_memory_cache.h"
#include "device/thread_array.h"
#include "device/thread_local_cache.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct ArrayArg {
  using real = Real<double>;
  unsigned threads[3];
  const double *in;
  double *out;
  double *second;

  QUDA_DEVICE real load(unsigned i) const
  {
    real value;
    __builtin_memcpy(&value, in + static_cast<unsigned long long>(i) * width<double>, sizeof(value));
    return value;
  }
  QUDA_DEVICE static void store(double *to, unsigned i, const real &value)
  {
    __builtin_memcpy(to + static_cast<unsigned long long>(i) * width<double>, &value, sizeof(value));
  }
};

/// Three things of a thread's own, side by side.
template <class Arg> struct OwnOps {
  using real = typename Arg::real;
  using Single = ThreadLocalCache<real>;
  using Several = ThreadLocalCache<array<real, 2>, 3, Single>;
  using Order = thread_array<int, 5, Several>;
  using Ops = KernelOps<Single, Several, Order, op_blockSync>;
};

/// out(x) = v + v k + k + 1 with k = 3 x mod 5 mod 3, by way of the caches; v = in(x). The barrier stands between
/// writing and reading so that a thread that strays into another's memory is found out.
template <class Arg> struct Own : OwnOps<Arg>::Ops {
  using Uses = OwnOps<Arg>;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x) const
  {
    typename Uses::Single single {*this};
    typename Uses::Several several {*this};
    typename Uses::Order order {*this};
    op_blockSync sync {*this};
    const real v = arg.load(x);
    single = v;
    for (int k = 0; k < 3; k++) several.save({{v * real(k), real(k + 1.0)}}, k);
    for (int k = 0; k < 5; k++) order[2 * k % 5] = 6 * k % 5; // order[i] = 3 i mod 5
    sync();
    const int k = order[x % 5] % 3;
    const array<real, 2> chosen = several.load(k);
    const real kept = single;
    arg.store(arg.out, x, kept + chosen[0] + chosen[1]);
  }
};

template <class Arg> struct ExchangeOps {
  using real = typename Arg::real;
  using Triple = SharedMemoryCache<array<real, 3>, PaddedDims<1>>;
  using Beside = SharedMemoryCache<real, BlockDims, Triple>;
  using Ops = combineOps<KernelOps<elements<Y>, Triple>, KernelOps<Beside, op_blockSync>>;
};

/// u(x, y) = v(x, y + 1)^2 + v(x, y - 1) + y - 1, then out(x, y) = u(x, n - 1 - y), y modulo n
template <class Arg> struct Exchange : ExchangeOps<Arg>::Ops {
  using Uses = ExchangeOps<Arg>;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned) const
  {
    typename Uses::Triple triple {*this};
    typename Uses::Beside beside {*this};
    op_blockSync sync {*this};
    const elements<Y> ys {*this};
    const int n = ys.count();
    for (auto y : ys) {
      const real v = arg.load(x + arg.threads[0] * y);
      triple.save_y({{v, v + v, v * v}}, y);
      beside.save_y(v + real(double(y)), y);
    }
    triple.sync();
    element_array<real, elements<Y>> kept;
    for (auto y : ys) kept(y) = triple.load_y((y + 1) % n)[2] + beside.load_y((y + n - 1) % n);
    sync();
    for (auto y : ys) triple.save_y({{kept(y), real(0.0), real(0.0)}}, y);
    triple.sync();
    for (auto y : ys) arg.store(arg.out, x + arg.threads[0] * y, triple.load_y(n - 1 - y)[0]);
  }
};

constexpr int tile = 64;
using Tile = SharedMemoryCache<double, FixedDims<tile + 1, 8>>;

/// out[x][y] = in[y][x], numbers not lanes. Each thread stores what another loaded.
template <class Arg> struct Transpose : KernelOps<elements<X, tile>, elements<Y, 8>, Tile> {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x0, unsigned) const
  {
    Tile cache {*this};
    const elements<X, tile> xs {*this};
    const elements<Y, 8> ys {*this};
    for (auto y : ys)
      for (auto x : xs) cache.save(arg.in[x0 + x + arg.threads[0] * y], x, y, 0);
    cache.sync();
    for (auto y : ys)
      for (auto x : xs) {
        const int from = xs.count() - 1 - x;
        arg.out[(x0 + from) * arg.threads[1] + y] = cache.load(from, y, 0);
      }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
