#pragma once
/// Copies between single and half precision, register by register.
///   Half precision (core/view.h): q = round(32767 x / m), scale m / 32767, m the largest |x| of the site and inner
///   entry; in gauge fields m = 1. A number that is NaN or infinite makes the scale NaN; one that is NaN or beyond 1 in
///   a gauge field is cut, and `beyond` is set.
/// to, from  : (parity, x_cb, inner, reals), native, of one lattice and shape. Halo: none. Collective: no.
/// Flops     : none. Bytes: each real once on either side, and the scales.
/// Instances : single to half, half to single = 2.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr float fixed_one = 32767.0f;
constexpr float fixed_most = 1 + 0.5f / fixed_one; // what rounds to fixed_one
constexpr float fixed_least = 1e-34f; // a record of smaller numbers is taken for zero: its factor would overflow

template <class To, class From> struct ConvertArg {
  using to_real = To;
  using from_real = From;
  unsigned threads[3];
  FieldView to, from;
  int reals;
  int *beyond;
  bool streaming;

  template <class Call> ConvertArg(const Call &c, const TuneParam &tp)
      : to(c.to.field)
      , from(c.from.field)
      , reals(c.reals)
      , beyond(c.beyond)
      , streaming(tp.streaming)
  {
    threads[0] = Index(to.lattice).registers();
    threads[1] = c.parities;
    threads[2] = c.inner;
  }
};

template <class Arg> struct Convert : NoKernelOps {
  using real = Real<float>;
  const Arg &arg;

  template <class T> QUDA_DEVICE static auto record(const FieldView &f, unsigned x_cb, int p, int i)
  {
    if constexpr (sizeof(T) == sizeof(short))
      return fixed_record(f, x_cb, p, i);
    else
      return register_record<float>(f, x_cb, p, i);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int p, int i) const
  {
    constexpr bool from_fixed = sizeof(typename Arg::from_real) == sizeof(short);
    const auto from = record<typename Arg::from_real>(arg.from, x_cb, p, i);
    const auto to = record<typename Arg::to_real>(arg.to, x_cb, p, i);
    real factor = real(1.0f);
    if constexpr (from_fixed) {
      factor = arg.from.scaled ? from.scale() : real(1.0f / fixed_one);
    } else if (arg.to.scaled) {
      real largest = real(0.0f), strange = real(0.0f);
      for (int k = 0; k < arg.reals; k++) {
        const real x = from.get(k);
        largest = max(largest, abs(x));
        strange = fma(x, real(0.0f), strange);
      }
      factor = select(largest > real(fixed_least), real(fixed_one) / largest, real(0.0f));
      to.put_scale(fma(largest, real(1.0f / fixed_one), strange), arg.streaming);
    } else {
      auto fits = real(0.0f) < real(1.0f);
      for (int k = 0; k < arg.reals; k++) {
        const auto small = abs(from.get(k)) <= real(fixed_most);
        fits = fits & small;
      }
      if (any(!fits)) set_flag(arg.beyond);
      factor = real(fixed_one);
    }
    for (int k = 0; k < arg.reals; k++) to.put(k, factor * from.get(k), arg.streaming);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
