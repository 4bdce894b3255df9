/// Sums over arbitrary paths of links.
///   PathWalk  : W_mu(x) = U_mu(x) sum_i c_i Path_i(x + mu); path_sum.h describes its use
///   LoopTrace : sum_x tr Path(x), exact: [0] real, [1] imaginary part
/// Path       : product of U_d(y) or U_d(y)^dag in the order of its steps, each at a fixed distance from x.
/// Halo       : border as deep as the steps reach, current. Collective: no.
/// Flops      : 198 a product of two links, 36 to add a path; the rest: PathWalkLaunch and TraceSum::flops().
/// Instances  : double, single x recon 18, 12 = 4 of each.

#include "core/path.h"
#include "device/array.h"
#include "device/instances.h"
#include "device/site_arg.h"
#include "kernels/gauge/path_call.h"
#include "kernels/gauge/path_sum.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct PathWalkArg : PathSumArg<S, recon> {
  PathListView list;
  int first_path[5]; // of each direction

  PathWalkArg(const PathWalkCall &c, const TuneParam &tp)
      : PathSumArg<S, recon>(c, tp)
      , list(c.list)
  {
    for (int mu = 0; mu < 5; mu++) first_path[mu] = c.first_path[mu];
  }
};

/// The links of a path seen from x, one after the other.
template <class Arg> struct Walk {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;
  const Coord &x;

  QUDA_DEVICE Operand link(const PathStep &step) const
  {
    const int dx[4] = {step.dx[0], step.dx[1], step.dx[2], step.dx[3]};
    return Operand(arg.U, arg.index.shifted(x, dx), step.mu);
  }

  /// Product of the first `length` steps of a path; the unit matrix if there is none.
  QUDA_DEVICE Matrix<real> product(const PathStep *steps, int length) const
  {
    Matrix<real> p = multiple_of_unity(real(1.0));
    for (int k = 0; k < length; k++) {
      const Operand operand = link(steps[k]);
      const auto u = operand.read();
      if (k == 0) {
        set_matrix(p, u);
        if (steps[k].adjoint) p = adjoint(p);
      } else if (steps[k].adjoint) {
        set_product(p, p, adjoint_of(u));
      } else {
        set_product(p, p, u);
      }
    }
    return p;
  }
};

template <class Arg> struct PathWalk : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Walk<Arg> walk {arg, x};
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> sum = multiple_of_unity(real(0.0)), w;
      for (int i = arg.first_path[mu]; i < arg.first_path[mu + 1]; i++) {
        const Path &path = arg.list.paths[i];
        sum = add_scaled(real(path.coefficient), walk.product(arg.list.steps + path.first, path.length), sum);
      }
      set_product(w, arg.link(arg.index.here(x), mu).read(), sum);
      arg.finish(x, mu, w);
    }
  }
};

template <class S, int reconstruct> struct LoopTraceArg : BorderArg {
  using stored = S;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> U;
  PathListView list;

  LoopTraceArg(const LoopTraceCall &c, const TuneParam &)
      : BorderArg(c.links.field.lattice, 2, 1, 0)
      , U(c.links)
      , list(c.list)
  {
  }
};

template <class Arg> struct LoopTrace : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Path &path = arg.list.paths[0];
    const Complex<real> t = trace(Walk<Arg> {arg, x}.product(arg.list.steps + path.first, path.length));
    return {{t.re, t.im}};
  }
};

QUDA_INSTANCES(path_walk, PathWalkCall, Launch2D<PathWalk, PathWalkArg>, Floating, WilsonLinks)
QUDA_INSTANCES(loop_trace, LoopTraceCall, Sum2D<LoopTrace, LoopTraceArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
