#pragma once
/// Kernels that add over the cooperating axis: through shared memory, and through the registers of a warp.

#include "device/block_reduce.h"
#include "kernel_ops/caches_kernel.h"
#include "kernel_ops/tables.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Arg> struct BlockSumOps {
  using Sum = BlockReduce<typename Arg::real>;
  using Pair = BlockReduce<array<typename Arg::real, 2>, elements<Y>, Sum>;
  using Ops = KernelOps<elements<Y>, Sum, Pair>;
};

/// out(x, z) = (sum_y v) + (sum_y v^2), the same memory twice; second(x, y, z) = (sum_y v) + (sum_y v^2) + y, v = in(x,
/// y, z)
template <class Arg> struct BlockSum : BlockSumOps<Arg>::Ops {
  using Uses = BlockSumOps<Arg>;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned, unsigned z) const
  {
    typename Uses::Sum sum {*this};
    typename Uses::Pair pair {*this};
    const elements<Y> ys {*this};
    typename Uses::Sum::Values v, squares;
    typename Uses::Pair::Values both;
    for (auto y : ys) {
      v(y) = arg.load(x + arg.threads[0] * (y + arg.threads[1] * z));
      squares(y) = v(y) * v(y);
      both(y) = {{v(y), squares(y)}};
    }
    const real plain = sum.sum(v);
    const real once = plain + sum.sum(squares);
    const array<real, 2> everywhere = pair.all_sum(both);
    for (auto y : ys) {
      if (y == 0) arg.store(arg.out, x + arg.threads[0] * z, once);
      arg.store(arg.second, x + arg.threads[0] * (y + arg.threads[1] * z),
                everywhere[0] + everywhere[1] + real(double(y)));
    }
  }
};

/// out(x) = the sum of in over x's run of indices of the block, second(x) = the largest of them.
template <int part> struct Parts {
  using Xs = elements<X, most_of_block>;
  template <class Arg> struct Kernel : KernelOps<Xs, BlockReduce<typename Arg::real, Xs, void, part>> {
    using real = typename Arg::real;
    const Arg &arg;

    QUDA_DEVICE void operator()(unsigned x0) const
    {
      BlockReduce<real, Xs, void, part> reduce {*this};
      const Xs xs {*this};
      element_array<real, Xs> v;
      for (real &value : v.data) value = real(1e6); // what an index beyond the last one has must not count
      for (auto x : xs) v(x) = arg.load(x0 + x);
      const auto sums = reduce.each(v, Add {}), largest = reduce.each(v, Maximum {});
      for (auto x : xs) {
        arg.store(arg.out, x0 + x, sums(x));
        arg.store(arg.second, x0 + x, largest(x));
      }
    }
  };
};

template <class Arg> using WarpPair = op_warp_combine<array<typename Arg::real, 2>, split_points>;

/// second(x, y) = (sum_y v) + (sum_y v^2) + y, v = in(x, y)
template <class Arg> struct WarpSum : KernelOps<elements<Y, split_points>, WarpPair<Arg>> {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned) const
  {
    WarpPair<Arg> combine {*this};
    const elements<Y, split_points> ys {*this};
    typename WarpPair<Arg>::Values both;
    for (auto y : ys) {
      const real v = arg.load(x + arg.threads[0] * y);
      both(y) = {{v, v * v}};
    }
    const array<real, 2> total = combine(both);
    for (auto y : ys) arg.store(arg.second, x + arg.threads[0] * y, total[0] + total[1] + real(double(y)));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
