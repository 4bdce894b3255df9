/// The largest magnitude of each group's real numbers (core/stream_view.h), as the bits of a double, which order
/// magnitudes as numbers do and put NaN above all of them.
/// Halo: none. Collective: no. Flops: 1 a real. Bytes: the field once.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/blas/amax_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int> struct AmaxArg {
  using real = Real<T>;

  unsigned threads[3];
  int active;
  Streams<T> streams;
  StreamField field;
  long long *bits;

  AmaxArg(const AmaxCall &c, const TuneParam &)
      : threads {c.shape.points, c.shape.rows, c.shape.groups}
      , active(c.shape.active)
      , streams(c.shape)
      , field(c.field)
      , bits(c.bits)
  {
  }
};

template <class Arg> struct Amax : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned row, unsigned group) const
  {
    const auto *const x = arg.streams.at(arg.field, point, row, group);
    real largest = real(0.0);
    for (int k = 0; k < arg.streams.reals; k += 2) {
      real v[2];
      arg.streams.get(x, k, v);
      largest = larger_magnitude(larger_magnitude(largest, v[0]), v[1]);
    }
    raise_bits(arg.bits + group, arg.streams.scale(x, point) * largest, arg.active);
  }
};

QUDA_INSTANCES(amax, AmaxCall, Launch3D<Amax, AmaxArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
