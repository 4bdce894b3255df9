/// The error of a step of the gradient flow: the largest over the links of
///   |V - exp(epsilon (2 Z_1 - Z_0)) V_0|^2,  2 Z_1 - Z_0 = 2 K_1 + K_0 / 16,
/// the Frobenius norm; K_0 = Z_0 and K_1 = Z_1 - 17/32 Z_0 are the generators of the third-order step's first two
/// stages.
/// V, V_0    : (mu 4, parity 2, x_cb, row 3, col 3) complex; K: (mu 4, parity 2, x_cb, 10) reals.
/// Halo      : none. Collective: no.
/// Flops     : 1,204 a site: a product, 49 for the generator, 54 for the norm; exponentials are not counted.
/// Instances : whole links only, as in flows: double, single = 2.

#include "device/exponential.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "device/reducers.h"
#include "device/site_arg.h"
#include "kernels/smear/flow_error_call.h"
#include <fold.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct FlowErrorArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index bordered; // of the links after the step
  Gauge<S, recon> after, before;
  Momentum<S> first, second;
  number epsilon;

  FlowErrorArg(const FlowErrorCall &c, const TuneParam &)
      : SiteArg(c.before.field.lattice, 8)
      , bordered(c.after.field.lattice)
      , after(c.after)
      , before(c.before)
      , first(c.first)
      , second(c.second)
      , epsilon(static_cast<number>(c.epsilon))
  {
  }
};

template <class Arg> struct FlowError : NoKernelOps {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;

  /// entry: parity and direction.
  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Coord x = arg.index.coord(x_cb, entry % 2);
    const Place here = arg.index.here(x);
    const AntiHermitian<real> z =
        add_scaled(real(2.0), arg.second.read(here, mu), scaled(real(0.0625), arg.first.read(here, mu)));
    const Matrix<real> e = exponential(scaled(real(arg.epsilon), z));
    Matrix<real> v;
    set_product(v, e, Operand(arg.before, here, mu).read());
    const Operand w(arg.after, arg.bordered.here(arg.bordered.same(x)), mu);
    const auto u = w.read();
    real sum = real(0.0);
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) {
      const Complex<real> a = u(k / 3, k % 3);
      const real re = a.re - v.e[k].re, im = a.im - v.e[k].im;
      sum = fma(im, im, fma(re, re, sum));
    }
    return {{sum}};
  }
};

template <template <class> class Kernel, template <class, int> class Arg> struct Largest2D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_fold_2d<Kernel, Maximum>(tp, stream, Arg<S, variant>(call, tp), call.parts);
  }
};

QUDA_INSTANCES(flow_error, FlowErrorCall, Largest2D<FlowError, FlowErrorArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
