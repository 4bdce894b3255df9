/// A clover term, or its inverse, on spinors: out = A in.
/// in, out : (parity, x_cb, inner, spin 4, color 3) complex, DeGrand-Rossi basis; out may be in.
/// clover  : (parity 2, x_cb, block 2, 36), device/clover.h.
/// Halo    : none. Collective: no.
/// Flops   : 504 a site. Bytes: the term once, each spinor once.

#include "device/clover.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/dirac/clover_apply_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct CloverApplyArg : SiteArg {
  using real = Real<S>;
  Storage<S, 24> out, in;
  Clover<S> clover;
  unsigned parity, parities;

  CloverApplyArg(const CloverApplyCall &c, const TuneParam &)
      : SiteArg(c.in.field.lattice, 1, static_cast<unsigned>(c.parities * c.in.field.inner))
      , out(c.out.field)
      , in(c.in.field)
      , clover(c.clover)
      , parity(static_cast<unsigned>(c.parity))
      , parities(static_cast<unsigned>(c.parities))
  {
  }
};

template <class Arg> struct CloverApply : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned, unsigned z) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, static_cast<int>(arg.parity + z % arg.parities)));
    const int i = static_cast<int>(z / arg.parities);
    const auto q = arg.in.read(here, i);
    real v[24];
    QUDA_UNROLL
    for (int block = 0; block < 2; block++) {
      Complex<real> x[6], y[6];
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) x[k] = {q.raw(12 * block + 2 * k), q.raw(12 * block + 2 * k + 1)};
      const auto b = arg.clover.read(here, block);
      block_product(y, b, x);
      const auto scale = b.scale() * q.scale();
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        v[12 * block + 2 * k] = scale * y[k].re;
        v[12 * block + 2 * k + 1] = scale * y[k].im;
      }
    }
    arg.out.write(here, i, v);
  }
};

QUDA_INSTANCES(clover_apply, CloverApplyCall, Launch3D<CloverApply, CloverApplyArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
