/// Sums over the staples of 1 x 2 rectangles and of plaquettes.
///   W_mu(x) = U_mu(x) C_mu(x)^dag; path_sum.h describes its use
///   C_mu(x) : the sum over both sides of all planes, rectangle_staples.h, with weights of each mu and nu
/// Halo      : border of depth 2 in cut directions, current. Collective: no.
/// Flops     : 67 products of 198 a link and 49 sums of 18: 56,592 a site. By QUDA's convention, path by path,
///             67,320: path_sum_flops().

#include "device/instances.h"
#include "device/rectangle_staples.h"
#include "kernels/gauge/path_sum.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct StaplesArg : PathSumArg<S, recon> {
  LoopWeights<number_of<S>> weights;

  StaplesArg(const StaplesCall &c, const TuneParam &tp)
      : PathSumArg<S, recon>(c, tp)
      , weights(c.weights)
  {
  }
};

template <class Arg> struct RectangleStaples : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> sum, w;
      sum_staples(sum, arg.U, arg.index, x, mu, arg.weights);
      set_product(w, arg.link(arg.index.here(x), mu).read(), adjoint_of(sum));
      arg.finish(x, mu, w);
    }
  }
};

QUDA_INSTANCES(rectangle_staples, StaplesCall, Launch2D<RectangleStaples, StaplesArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
