/// The force of a sum over plaquettes, added to momenta.
///   A_mu(x) = TA(A_mu(x) - f U_mu(x) C_mu(x)^dag), or -f TA(U_mu(x) C_mu(x)^dag) if the old momenta are dropped;
///   C_mu = sum over nu of w_mu,nu (upper + lower staple of U_mu(x) in the plane mu nu)
/// links, A  : (mu 4, parity 2, x_cb, ...), A (reconstruct 10) without border; it aliases nothing.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : curl.h, and 36 a link.

#include "device/instances.h"
#include "device/old_momentum.h"
#include "kernels/gauge/path_call.h"
#include "device/curl.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct PlaquetteForceArg : CurlArg<S, recon> {
  using number = number_of<S>;
  Index own; // of the momenta
  Momentum<S> momentum;
  number half_factor;
  bool overwrite;

  PlaquetteForceArg(const StaplesCall &c, const TuneParam &tp)
      : CurlArg<S, recon>(c.links, tp)
      , own(c.result.field.lattice)
      , momentum(c.result)
      , overwrite(c.overwrite)
  {
    // weights in units of the first one: if all agree there is nothing to multiply
    const auto &w = c.weights.plaquette;
    double unit = 0;
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++)
        if (unit == 0) unit = w[mu][nu];
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) this->weight[mu][nu] = static_cast<number>(w[mu][nu] / unit);
    half_factor = static_cast<number>(0.5 * c.factor * unit);
    for (int d = 0; d < 4; d++) this->dirs[d] = d;
    this->count = 4;
  }
};

template <class Arg> struct PlaquetteForce : KernelOps<Curls<Arg>> {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void finish(const CurlSum<Arg> &curls, const Matrix<real> &lower, int mu) const
  {
    const Place own = arg.own.here(arg.own.same(curls.around.x));
    const LinkOperand<typename Arg::stored, Arg::recon> u(arg.U, curls.around.here, mu);
    if (arg.prefetch) arg.momentum.storage.prefetch(own, mu, arg.prefetch);
    const AntiHermitian<real> a = scaled_traceless(real(arg.half_factor), curls.whole(lower, u.read(), mu));
    const auto old = [&]() QUDA_LAMBDA { return without_trace<typename Arg::number>(arg.momentum.read(own, mu)); };
    arg.momentum.write(own, mu, arg.overwrite ? a : add_scaled(real(1.0), a, old()));
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const { sum_curls(*this, arg, x_cb, parity); }
};

QUDA_INSTANCES(plaquette_force, StaplesCall, Launch2D<PlaquetteForce, PlaquetteForceArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
