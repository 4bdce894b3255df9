/// Updates between single and double precision: y = a x, or y += a x, a real or, in y += a x, complex, in double,
/// rounded once to y's precision. Operands  : x, y: (parity, x_cb, inner, spin, colour) complex, one shape and lane
/// split, precisions that differ.
///             Where a site fills one register of floats it fills one or two of doubles.
/// Index     : x, y points and rows; z: groups, right-hand sides with a coefficient each.
/// Halo      : none. Collective: no. Flops: 1 or 2 a real. Bytes: each field once, y twice where it is added to.

#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/blas/mixed_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class To, class From> struct MixedArg {
  using to_number = To;
  using from_number = From;

  unsigned threads[3];
  Streams<To> to_streams;
  Streams<From> from_streams;
  StreamField to, from;
  long long to_part, from_part;
  int parts;
  bool add, complex, streaming;
  double re[mixed_groups], im[mixed_groups];

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
    for (unsigned g = 0; g < threads[2]; g++) re[g] = c.re[g], im[g] = c.im[g];
  }
};

template <class Arg> struct Mixed : NoKernelOps {
  using To = typename Arg::to_number;
  using From = typename Arg::from_number;
  using wide = Real<double>;
  static constexpr bool up = sizeof(To) > sizeof(From);
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned row, unsigned group) const
  {
    To *const y = arg.to_streams.at(arg.to, point, row, group);
    const From *const x = arg.from_streams.at(arg.from, point, row, group);
    const Complex<wide> a = {wide(arg.re[group]), wide(arg.im[group])};
    for (int k = 0; k < arg.to_streams.reals; k += 2) {
      wide v[2][2]; // part, real
      QUDA_UNROLL
      for (int h = 0; h < 2; h++) {
        if (h < arg.parts) {
          load_wide<From>(arg.from_streams, x, k, h, arg.from_part, v[h]);
          wide before[2] = {wide(0.0), wide(0.0)};
          if (arg.add) load_wide<To>(arg.to_streams, y, k, h, arg.to_part, before);
          if (arg.complex) {
            const Complex<wide> sum =
                multiply_add(a, Complex<wide> {v[h][0], v[h][1]}, Complex<wide> {before[0], before[1]});
            v[h][0] = sum.re;
            v[h][1] = sum.im;
          } else {
            QUDA_UNROLL
            for (int j = 0; j < 2; j++) v[h][j] = arg.add ? fma(a.re, v[h][j], before[j]) : a.re * v[h][j];
          }
          if constexpr (up) arg.to_streams.put(y + h * arg.to_part, k, v[h], arg.streaming);
        } else {
          v[h][0] = v[h][1] = wide(0.0);
        }
      }
      if constexpr (!up) {
        const Real<To> narrow_v[2] = {narrow(v[0][0], v[1][0]), narrow(v[0][1], v[1][1])};
        arg.to_streams.put(y, k, narrow_v, arg.streaming);
      }
    }
  }

private:
  /// Reals k and k + 1 of part h of a record, as doubles.
  template <class T>
  QUDA_DEVICE static void load_wide(const Streams<T> &streams, const T *p, int k, int h, long long part, wide (&v)[2])
  {
    if constexpr (sizeof(T) == sizeof(double)) {
      streams.get(p + h * part, k, v);
    } else {
      Real<T> w[2];
      streams.get(p, k, w);
      v[0] = widen(w[0], h);
      v[1] = widen(w[1], h);
    }
  }
};

/// Variant: bytes of a real that is read.
struct MixedLaunch {
  template <class To, int from, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    if constexpr (from == sizeof(float) && sizeof(To) == sizeof(double))
      launch_3d<Mixed>(tp, stream, MixedArg<double, float>(call, tp));
    else if constexpr (from == sizeof(double) && sizeof(To) == sizeof(float))
      launch_3d<Mixed>(tp, stream, MixedArg<float, double>(call, tp));
  }
};

/// What is read, by its bytes: floating numbers that the build holds.
template <int... bytes> struct Sources {
  static constexpr bool built(int b) { return (QUDA_PRECISION & b) != 0; }
};

QUDA_INSTANCES(mixed, MixedCall, MixedLaunch, Floating, Sources<8, 4>)

} // namespace quda::QUDA_TARGET_NAMESPACE
