/// Updates between precisions: y = a x, or y += a x, a real or, in y += a x, complex, in the larger of the two (half
/// counts as single), rounded once to y's precision. y of half precision cannot be added to.
/// Operands  : x, y: (parity, x_cb, inner, spin, colour) complex, one shape and lane split, precisions that differ.
///             A point is a register of the lower precision, whose sites fill one or two of the higher one.
/// Index     : x, y points and rows; z: groups, right-hand sides with a coefficient each.
/// Halo      : none. Collective: no. Flops: 1 or 2 a real. Bytes: each field once, y twice if it is added to.

#include "device/complex.h"
#include "device/instances.h"
#include "device/shared_words.h"
#include "device/kernel_ops.h"
#include "kernels/blas/mixed_call.h"
#include "device/stored.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class To, class From> struct MixedArg {
  using to_stored = To;
  using from_stored = From;
  using number = choose<sizeof(To) == sizeof(double) || sizeof(From) == sizeof(double), double, float>;

  unsigned threads[3];
  Streams<To> to_streams;
  Streams<From> from_streams;
  StreamField to, from;
  long long to_part, from_part;
  int parts;
  bool add, complex, streaming;
  number re[mixed_groups], im[mixed_groups];

  MixedArg(const MixedCall &c, const TuneParam &tp)
      : threads {c.to_shape.points, c.to_shape.rows, c.to_shape.groups}
      , to_streams(c.to_shape)
      , from_streams(c.from_shape)
      , to(c.to)
      , from(c.from)
      , to_part(c.to_part)
      , from_part(c.from_part)
      , parts(c.parts)
      , add(c.add)
      , complex(c.complex)
      , streaming(tp.streaming && !c.add)
  {
    for (unsigned g = 0; g < threads[2]; g++)
      re[g] = static_cast<number>(c.re[g]), im[g] = static_cast<number>(c.im[g]);
  }
};

template <class Arg> struct Mixed : NoKernelOps {
  using To = typename Arg::to_stored;
  using From = typename Arg::from_stored;
  using number = typename Arg::number;
  using wide = Real<number>;
  static constexpr int parts = sizeof(number) > sizeof(float) ? 2 : 1; // registers of a point's numbers, at most
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned row, unsigned group) const
  {
    To *const y = arg.to_streams.at(arg.to, point, row, group);
    const From *const x = arg.from_streams.at(arg.from, point, row, group);
    const auto x_scale = arg.from_streams.scale(x, point);
    const Complex<wide> a = {wide(arg.re[group]), wide(arg.im[group])};

    /// Reals k and k + 1 of the result.
    const auto result = [&](wide(&v)[2][2], int k) QUDA_LAMBDA {
      QUDA_UNROLL
      for (int h = 0; h < parts; h++) {
        v[h][0] = v[h][1] = wide(0.0);
        if (h >= arg.parts) continue;
        load_wide<From>(arg.from_streams, x, k, h, arg.from_part, x_scale, v[h]);
        wide before[2] = {wide(0.0), wide(0.0)};
        if constexpr (!is_fixed<To>)
          if (arg.add) load_wide<To>(arg.to_streams, y, k, h, arg.to_part, Unit {}, before);
        if (arg.complex) {
          const Complex<wide> sum =
              multiply_add(a, Complex<wide> {v[h][0], v[h][1]}, Complex<wide> {before[0], before[1]});
          v[h][0] = sum.re;
          v[h][1] = sum.im;
        } else {
          QUDA_UNROLL
          for (int j = 0; j < 2; j++) v[h][j] = arg.add ? fma(a.re, v[h][j], before[j]) : a.re * v[h][j];
        }
      }
    };

    RecordScale<To, Real<To>> of_record;
    if constexpr (is_fixed<To>) {
      for (int k = 0; k < arg.to_streams.reals; k += 2) {
        wide v[2][2];
        result(v, k);
        QUDA_UNROLL
        for (int j = 0; j < 2; j++) of_record.add(narrowed(v, j));
      }
      arg.to_streams.put_scale(y, point, of_record.scale(), arg.streaming);
    }
    const auto factor = [&]() QUDA_LAMBDA {
      if constexpr (is_fixed<To>)
        return of_record.factor();
      else
        return Unit {};
    }();
    for (int k = 0; k < arg.to_streams.reals; k += 2) {
      wide v[2][2];
      result(v, k);
      if constexpr (sizeof(To) == sizeof(double)) {
        QUDA_UNROLL
        for (int h = 0; h < parts; h++)
          if (h < arg.parts) arg.to_streams.put(y + h * arg.to_part, k, v[h], arg.streaming);
      } else {
        const Real<To> w[2] = {factor * narrowed(v, 0), factor * narrowed(v, 1)};
        arg.to_streams.put(y, k, w, arg.streaming);
      }
    }
  }

private:
  /// Reals k and k + 1 of part h of a record, in the wider of the two numbers.
  template <class T, class Scale> QUDA_DEVICE static void load_wide(const Streams<T> &streams, const T *p, int k, int h,
                                                                    long long part, Scale scale, wide (&v)[2])
  {
    if constexpr (sizeof(number_of<T>) == sizeof(number)) {
      streams.get(p + h * part, k, v);
      QUDA_UNROLL
      for (int j = 0; j < 2; j++) v[j] = scale * v[j];
    } else {
      Real<T> w[2];
      streams.get(p, k, w);
      QUDA_UNROLL
      for (int j = 0; j < 2; j++) v[j] = widen(scale * w[j], h);
    }
  }

  /// Real j of both parts as a register of floats.
  QUDA_DEVICE static auto narrowed(const wide (&v)[2][2], int j)
  {
    if constexpr (parts == 2)
      return narrow(v[0][j], v[1][j]);
    else
      return v[0][j];
  }
};

/// Variant: bytes of a real that is read.
struct MixedLaunch {
  template <class To, int from, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    if constexpr (from != sizeof(To)) launch_3d<Mixed>(tp, stream, MixedArg<To, stored_of<from>>(call, tp));
  }
};

/// Source precisions, by their bytes, as far as the build has them.
template <int... bytes> struct Sources {
  static constexpr bool built(int b) { return (QUDA_PRECISION & b) != 0; }
};

QUDA_INSTANCES(mixed, MixedCall, MixedLaunch, Stored, Sources<8, 4, 2>)

} // namespace quda::QUDA_TARGET_NAMESPACE
