#pragma once
/// Elementary functions and random words of arrays.

#include "device/functions.h"
#include "device/kernel_ops.h"
#include "device/random.h"
#include "random/functions_table.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct FunctionsArg {
  using number = T;
  unsigned threads[3];
  FunctionsCall call;
};

template <class R, class T> QUDA_DEVICE R get(const T *array, unsigned x)
{
  R value;
  __builtin_memcpy(&value, array + x * (sizeof(R) / sizeof(T)), sizeof(R));
  return value;
}
template <class R, class T> QUDA_DEVICE void put(T *array, unsigned x, R value)
{
  __builtin_memcpy(array + x * (sizeof(R) / sizeof(T)), &value, sizeof(R));
}

template <class Arg> struct Functions : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x) const
  {
    const auto in = get<Real<T>>(static_cast<const T *>(arg.call.in), x);
    put(static_cast<T *>(arg.call.log), x, log(in));
    put(static_cast<T *>(arg.call.sqrt), x, sqrt(in));
    const auto angle = sincos_2pi(in);
    put(static_cast<T *>(arg.call.sin), x, angle.sin);
    put(static_cast<T *>(arg.call.cos), x, angle.cos);
  }
};

template <class T> struct AnglesArg {
  using number = T;
  unsigned threads[3];
  AnglesCall call;
};

template <class Arg> struct Angles : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    const auto y = get<Real<T>>(static_cast<const T *>(arg.call.y), n);
    const auto x = get<Real<T>>(static_cast<const T *>(arg.call.x), n);
    put(static_cast<T *>(arg.call.half_turns), n, half_turns(y, x));
  }
};

struct WordsArg {
  unsigned threads[3];
  WordsCall call;
};

template <class Arg> struct Philox : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x) const
  {
    Words c[4];
    for (int i = 0; i < 4; i++) c[i] = get<Words>(arg.call.in[i], x);
    philox(c, arg.call.seed);
    for (int i = 0; i < 4; i++) put(arg.call.out[i], x, c[i] & 0xFFFFFFFFu);
    for (int i = 0; i < 2; i++) put(arg.call.uniform[i], x, uniform(c[2 * i], c[2 * i + 1]));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
