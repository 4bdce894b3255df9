/// One step of the links: U'_mu(x) = exp(dt A_mu(x)) U_mu(x), after the trace of A is removed.
/// out, in, A : (mu 4, parity 2, x_cb, ...), A anti-Hermitian of 10 reals; out may be in.
/// exact     : the exponential, to rounding; else the Taylor series up to the eighth power. No reunitarisation.
/// Halo      : none. Collective: no. Flops: UpdateLaunch::flops(). Bytes: UpdateLaunch::bytes().

#include "device/exponential.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "device/site_arg.h"
#include "kernels/force/momentum_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct UpdateArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> in, out;
  Momentum<S> momentum;
  number dt;
  bool exact;

  UpdateArg(const UpdateCall &c, const TuneParam &)
      : SiteArg(c.in.field.lattice, 8)
      , in(c.in)
      , out(c.out)
      , momentum(c.momentum)
      , dt(static_cast<number>(c.dt))
      , exact(c.exact)
  {
  }
};

template <class Arg> struct Update : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void step(Matrix<real> &e, const AntiHermitian<real> &a) const
  {
    e = arg.exact ? exponential(a) : truncated_exponential<8>(a);
  }

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Coord x = arg.index.coord(x_cb, entry % 2);
    Matrix<real> e, u;
    step(e, scaled_traceless(real(arg.dt), arg.momentum.read(arg.index.here(x), mu)));
    set_product(u, e, LinkOperand<typename Arg::stored, Arg::recon>(arg.in, arg.index.here(x), mu).read());
    arg.out.write(arg.index.here(x), mu, u);
  }
};

QUDA_INSTANCES(update_links, UpdateCall, Launch2D<Update, UpdateArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
