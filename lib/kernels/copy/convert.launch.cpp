/// Copies between native fields, register by register: of one precision, and between single, half and quarter.
///   Half precision (core/view.h): q = round(32767 x / m), scale m / 32767, m the largest |x| of the site and inner
///   entry; in gauge fields m is the field's. A number that is NaN or infinite makes the scale NaN; one that is
///   NaN or beyond m in a gauge field is clamped, and `beyond` is set. Quarter precision likewise, with 127.
/// to, from  : (parity, x_cb, inner, reals), native, of one lattice and shape. Halo: none. Collective: no.
/// Flops     : none. Bytes: each real once on either side, and the scales.
/// Instances : single, half, quarter to and from each other; double to double = 10.

#include "core/tune_param.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/copy/reorder_call.h"
#include "device/stored.h"
#include "kernels/copy/range.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int from_bytes> struct ConvertArg {
  using stored = S;
  using from_stored = stored_of<from_bytes>;
  unsigned threads[3];
  FieldView to, from;
  int reals;
  float to_range, from_range; // for fixed point without scales
  int *beyond;
  bool streaming;

  ConvertArg(const ReorderCall &c, const TuneParam &tp)
      : threads {Index(c.to.field.lattice).registers(), static_cast<unsigned>(c.parities),
                 static_cast<unsigned>(c.inner)}
      , to(c.to.field)
      , from(c.from.field)
      , reals(c.reals)
      , to_range(range_of(c.to))
      , from_range(range_of(c.from))
      , beyond(c.beyond)
      , streaming(tp.streaming)
  {
  }
};

template <class Arg> struct Convert : NoKernelOps {
  using To = typename Arg::stored;
  using From = typename Arg::from_stored;
  using real = Real<To>;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int p, int i) const
  {
    const auto from = register_record<From>(arg.from, x_cb, p, i);
    const auto to = register_record<To>(arg.to, x_cb, p, i);
    if constexpr (sizeof(To) == sizeof(From)) {
      if constexpr (is_fixed<To>)
        if (arg.to.scaled) to.put_scale(from.scale(), arg.streaming);
      for (int k = 0; k < arg.reals; k++) to.put(k, from.get(k), arg.streaming);
    } else {
      real scale = real(1.0);
      if constexpr (is_fixed<From>) scale = arg.from.scaled ? from.scale() : real(arg.from_range / fixed_one<From>);
      const auto number = [&](int k) QUDA_LAMBDA {
        if constexpr (is_fixed<From>)
          return scale * from.get(k);
        else
          return from.get(k);
      };
      if constexpr (is_fixed<To>) {
        const real factor = factor_of(to, number);
        for (int k = 0; k < arg.reals; k++) to.put(k, factor * number(k), arg.streaming);
      } else {
        for (int k = 0; k < arg.reals; k++) to.put(k, number(k), arg.streaming);
      }
    }
  }

  /// Factors that turn numbers into integers; writes the record's scale, or sets the flag.
  template <class Record, class Number> QUDA_DEVICE real factor_of(const Record &to, const Number &number) const
  {
    if (arg.to.scaled) {
      RecordScale<To, real> of_record;
      for (int k = 0; k < arg.reals; k++) of_record.add(number(k));
      to.put_scale(of_record.scale(), arg.streaming);
      return of_record.factor();
    }
    auto fits = real(0.0) < real(1.0);
    for (int k = 0; k < arg.reals; k++) {
      const auto small = abs(number(k)) <= real(fixed_most<To> * arg.to_range);
      fits = fits & small;
    }
    if (any(!fits)) set_flag(arg.beyond);
    return real(fixed_one<To> / arg.to_range);
  }
};

QUDA_INSTANCES(convert, ReorderCall, Launch3D<Convert, ConvertArg>, EveryPrecision<float, Half, Quarter>,
               Variants<4, 2, 1>)
QUDA_INSTANCES(convert_double, ReorderCall, Launch3D<Convert, ConvertArg>, EveryPrecision<double>, Variants<8>)

} // namespace quda::QUDA_TARGET_NAMESPACE
