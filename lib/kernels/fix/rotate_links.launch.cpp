/// Links under a rotation: out_mu(x) = g(x) U_mu(x) g(x+mu)^dag, all four mu.
/// U, out : (mu 4, parity 2, x_cb, row 3, col 3) complex; out without border, it aliases nothing.
/// g      : (parity 2, x_cb, row 3, col 3) complex, slots of depth 1 filled from above.
/// Flops  : 1,584 a site. Collective: no.

#include "core/tune_param.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/fix/rotation.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct RotateLinksArg : RotationArg<S, recon> {
  Gauge<S, recon> out;

  RotateLinksArg(const RotateLinksCall &c, const TuneParam &)
      : RotationArg<S, recon>(c, 2)
      , out(c.out)
  {
  }
};

template <class Arg> struct RotateLinks : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Matrix<real> g = stored_matrix(arg.g, arg.at(x));
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> far, m;
      arg.rotation(far, x, mu, +1);
      const LinkOperand<typename Arg::stored, Arg::recon> u(arg.U, arg.index.here(x), mu);
      set_product(m, g, u.read());
      set_product(m, m, adjoint_of(far));
      arg.out.write(arg.at(x), mu, m);
    }
  }
};

QUDA_INSTANCES(rotate_links, RotateLinksCall, Launch2D<RotateLinks, RotateLinksArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
