/// Whole links from compressed ones, and compressed ones from whole.
///   rebuild  from : reconstruct 12 or 8; to: 18 reals
///   compress from : 18 reals; to: reconstruct 8. (Two rows are a copy.)
/// from, to  : (mu 4, parity 2, x_cb, ...), of one lattice, precision and border.
/// Halo      : none; borders are not written. Collective: no. Flops: 42 a link of two rows, some 200 of eight numbers.
/// Instances : double, single x 12, 8 of the one, x 8 of the other = 6.

#include "core/tune_param.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/copy/rebuild_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int stored, int made> struct RebuildArg : SiteArg {
  using real = Real<S>;
  static constexpr int reals = made;
  Gauge<S, stored> from;
  Storage<S, made, false> to;

  RebuildArg(const RebuildCall &c, const TuneParam &)
      : SiteArg(c.to.lattice, 2, 4)
      , from(c.from)
      , to(c.to)
  {
  }
};
template <class S, int recon> using WholeArg = RebuildArg<S, recon, 18>;
template <class S, int recon> using CompressedArg = RebuildArg<S, 18, recon>;

template <class Arg> struct Rebuild : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    const auto u = arg.from.matrix(here, mu);
    typename Arg::real v[Arg::reals];
    if constexpr (Arg::reals == 8)
      pack_8(v, u);
    else
      pack(v, u.e);
    arg.to.write(here, mu, v);
  }
};

QUDA_INSTANCES(rebuild, RebuildCall, Launch3D<Rebuild, WholeArg>, EveryPrecision<double, float>, Variants<12, 8>)
QUDA_INSTANCES(compress, RebuildCall, Launch3D<Rebuild, CompressedArg>, EveryPrecision<double, float>, Variants<8>)

} // namespace quda::QUDA_TARGET_NAMESPACE
