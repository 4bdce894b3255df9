/// A copy of memory as it is: numbers of any precision, scales of fixed point, padding lanes.
/// to, from  : (parity, row) runs of bytes; a row is a parity of a whole field, or the records of some right-hand sides
///             at a register of sites. Halo: none. Collective: no.
/// Flops     : none. Bytes: each once on either side.
/// Instances : 1.

#include "core/tune_param.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/copy/bytes_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct BytesArg {
  unsigned threads[3];
  BytesCall call;
  int ahead; // bytes
  bool streaming;

  BytesArg(const BytesCall &c, const TuneParam &tp)
      : threads {c.rows * c.by_chunk.divisor, static_cast<unsigned>(c.parities), 1}
      , call(c)
      , ahead(tp.prefetch * c.chunk)
      , streaming(tp.streaming)
  {
  }
};

template <class Arg> struct CopyBytes : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE static char *row_of(const BytesEnd &end, unsigned row, int p)
  {
    return static_cast<char *>(end.data) + p * end.parity_stride + row * end.row_stride;
  }

  QUDA_DEVICE void operator()(unsigned n, int p) const
  {
    const unsigned row = Index::quotient(n, arg.call.by_chunk);
    const long long first = static_cast<long long>(n - row * arg.call.by_chunk.divisor) * arg.call.chunk;
    char *to = row_of(arg.call.to, row, p) + first;
    const char *from = row_of(arg.call.from, row, p) + first;
    const long long left = arg.call.run - first, bytes = left < arg.call.chunk ? left : arg.call.chunk;
    for (int k = 0; k < bytes; k += moved_bytes) {
      if (arg.ahead) prefetch_line(from + arg.ahead + k);
      move_bytes(to + k, from + k, arg.streaming);
    }
  }
};

QUDA_INSTANCES(copy_bytes, BytesCall, Launch2D<CopyBytes, BytesArg>, EveryPrecision<float>, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
