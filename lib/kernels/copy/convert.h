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

  QUDA_DEVICE void operator()(unsigned x_cb, int p, int i) const
  {
    using From = typename Arg::from_real;
    using To = typename Arg::to_real;
    const auto from = register_record<From>(arg.from, x_cb, p, i);
    const auto to = register_record<To>(arg.to, x_cb, p, i);
    real factor = real(1.0);
    if constexpr (is_fixed<From>) {
      factor = arg.from.scaled ? from.scale() : real(1.0f / fixed_one<From>);
    } else if (arg.to.scaled) {
      RecordScale<To, real> of_record;
      for (int k = 0; k < arg.reals; k++) of_record.add(from.get(k));
      factor = of_record.factor();
      to.put_scale(of_record.scale(), arg.streaming);
    } else {
      auto fits = real(0.0) < real(1.0);
      for (int k = 0; k < arg.reals; k++) {
        const auto small = abs(from.get(k)) <= real(fixed_most<To>);
        fits = fits & small;
      }
      if (any(!fits)) set_flag(arg.beyond);
      factor = real(fixed_one<To>);
    }
    for (int k = 0; k < arg.reals; k++) to.put(k, factor * from.get(k), arg.streaming);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
