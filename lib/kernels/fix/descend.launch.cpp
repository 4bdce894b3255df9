/// One step of steepest descent of the gauge: g(x) <- G[ 1 + (alpha / 2) D(x) ] g(x), G orthonormalising rows, or the
/// start: g(x) = 1.
/// D     : anti-Hermitian and traceless, in the format of the gradient of kernels/fix/quality.launch.cpp.
/// g     : (parity 2, x_cb, row 3, col 3) complex, in place. Halo: none. Collective: no. Flops: 550 a site.

#include "core/tune_param.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/unitarise.h"
#include "kernels/fix/rotation.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct DescendArg : SiteArg {
  using stored = S;
  using real = Real<S>;
  Storage<S, 18> g;
  Storage<S, 8> gradient;
  number_of<S> half_alpha;
  bool start;

  DescendArg(const DescendCall &c, const TuneParam &)
      : SiteArg(c.rotation.lattice, 2)
      , g(c.rotation)
      , half_alpha(static_cast<number_of<S>>(0.5 * c.alpha))
      , start(c.start)
  {
    if (!start) gradient = Storage<S, 8>(c.gradient);
  }
};

template <class Arg> struct Descend : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    const real one = real(1.0);
    Matrix<real> step = multiple_of_unity(one);
    if (!arg.start) {
      const auto d = arg.gradient.read(here, 0);
      const AntiHermitian<real> a = {{{d[0], d[1]}, {d[2], d[3]}, {d[4], d[5]}}, {d[6], d[7], -(d[6] + d[7])}};
      step = add_scaled(real(arg.half_alpha), a.matrix(), step);
      unitarise_rows(step);
      step = product(step, stored_matrix(arg.g, here));
      unitarise_rows(step);
    }
    store_matrix(arg.g, here, step);
  }
};

QUDA_INSTANCES(descend_gauge, DescendCall, Launch2D<Descend, DescendArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
