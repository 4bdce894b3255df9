#pragma once
/// Entries of whole-field sums as they are stored.

#include "device/array.h"
#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct SumArg {
  using scalar = T;
  using real = Real<T>;
  unsigned threads[3];
  int active;
  const T *in;
};

template <class Arg> struct Entries : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned x, unsigned y) const
  {
    real value;
    const unsigned long long at = x + static_cast<unsigned long long>(arg.threads[0]) * y;
    __builtin_memcpy(&value, arg.in + at * width<typename Arg::scalar>, sizeof(value));
    return {{value, -(value + value)}};
  }
};

/// The same, times 2^z.
template <class Arg> struct GroupedEntries : NoKernelOps {
  static constexpr bool groups_share = true;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned x, unsigned y, unsigned z) const
  {
    const array<real, 2> entries = Entries<Arg> {{block}, arg}(x, y);
    const real times = real(static_cast<double>(1U << z));
    return {{times * entries[0], times * entries[1]}};
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
