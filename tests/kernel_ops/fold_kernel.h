#pragma once
/// Entries of whole-field reductions with operators, and an operator of the tests' own.

#include "device/kernel_ops.h"
#include "device/reducers.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct FoldArg {
  using real = Real<double>;
  unsigned threads[3];
  int active;
  const double *in;
  const double *places;

  QUDA_DEVICE static real load(const double *from, unsigned long long i)
  {
    real value;
    __builtin_memcpy(&value, from + i * width<double>, sizeof(value));
    return value;
  }
};

/// {number, its place}
template <class Arg> struct NumberAndPlace : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned x, unsigned y) const
  {
    const unsigned long long at = x + static_cast<unsigned long long>(arg.threads[0]) * y;
    return {{Arg::load(arg.in, at), Arg::load(arg.places, at)}};
  }
};

/// The largest number, and of its places the first.
struct LargestAt {
  static constexpr bool in_any_order = true;

  template <class R> QUDA_DEVICE array<R, 2> operator()(const array<R, 2> &a, const array<R, 2> &b) const
  {
    const auto second = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1]));
    return {{select(second, b[0], a[0]), select(second, b[1], a[1])}};
  }
  template <class R> QUDA_DEVICE static void nothing(array<R, 2> &a)
  {
    a[0] = R(-__builtin_inff());
    a[1] = R(__builtin_inff());
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
