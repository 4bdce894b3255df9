/// The force of links from the force of the links that one step of stout smearing makes from them: the chain rule
/// of Morningstar and Peardon, hep-lat/0311018, section IV, taken in the algebra. Links U, smeared links U' = E U,
///   E = exp A,  A = TA[C U^dag],  C_nu(x) = sum over mu of w_mu times both staples of U_nu(x) with sides along mu.
/// A force f' means dS = sum Re tr(f' dU' U'^dag); the force of U is, nu and mu in the smeared directions,
///   f_nu(x) = TA[ E^dag f' E - U C^dag L + U G^dag ],  L for M = E^dag f' by device/exponential_slope.h
///   K_nu(x) = -L U, the gradient of C;  G, the links' gradient from the staples that contain them: the staples of
///   (U, K) with one of their three links from K, with the weight of their sides' direction
///   StoutGradient : K, and f without G, in place of f'
///   StapleForce   : out = factor (f + TA[U G^dag]) + old out, or without it; links of other directions have only f
/// U, K      : (mu 4, parity 2, x_cb, row 3, col 3) complex; f, out : ten numbers a link.
/// Halo      : borders of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : a link and another direction: two staples, 828; six of them, 2,484. A link: eight products and 1,300 for
///             the exponential with its slope; a product and 60.
/// Instances : whole links only: double, single = 2 of each.

#include "device/exponential_slope.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "device/staple.h"
#include "kernels/smear/stout_force_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct StoutForceArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  using Operand = LinkOperand<S, reconstruct>;
  Index own; // of forces
  Gauge<S, reconstruct> U, K;
  Momentum<S> force;
  int dirs[4], count;
  number weight[4];

  template <class Call> StoutForceArg(const Call &c, unsigned links_of_site)
      : BorderArg(c.links.field.lattice, 2 * links_of_site)
      , own(c.force.field.lattice)
      , U(c.links)
      , K(c.staples)
      , force(c.force)
      , count(c.of.count)
  {
    for (int d = 0; d < 4; d++) {
      dirs[d] = c.of.dirs[d];
      weight[d] = static_cast<number>(c.of.weight[d]);
    }
  }
};

template <class S, int reconstruct> struct StoutGradientArg : StoutForceArg<S, reconstruct> {
  StoutGradientArg(const StoutGradientCall &c, const TuneParam &)
      : StoutForceArg<S, reconstruct>(c, static_cast<unsigned>(c.of.count))
  {
  }
};

template <class Arg> struct StoutGradient : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void set_staples(Matrix<real> &sum, const Coord &x, int nu) const
  {
    sum = multiple_of_unity(real(0.0));
    for (int i = 0; i < arg.count; i++) {
      const int mu = arg.dirs[i];
      if (mu == nu) continue;
      Matrix<real> staples = multiple_of_unity(real(0.0));
      add_staple_pair(staples, arg.U, arg.U, arg.index, x, nu, mu);
      sum = add_scaled(real(arg.weight[mu]), staples, sum);
    }
  }

  QUDA_OUTLINE void set_slope(ExponentialSlope<real> &s, Matrix<real> &e, const AntiHermitian<real> &a) const
  {
    set_exponential(s, a);
    e = evaluate(s.at, a);
  }

  QUDA_OUTLINE void pull_back(AntiHermitian<real> &l, const ExponentialSlope<real> &s, const AntiHermitian<real> &a,
                              const Matrix<real> &m) const
  {
    l = pulled_back(s, a, m);
  }

  /// entry: parity and smeared direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int nu = arg.dirs[entry / 2];
    const Coord x = arg.index.coord(x_cb, entry % 2);
    const Place here = arg.index.here(x), own = arg.own.here(arg.own.same(x));
    const typename Arg::Operand u(arg.U, here, nu);
    Matrix<real> c, e, m;
    set_staples(c, x, nu);
    set_product(m, c, adjoint_of(u.read()));
    const AntiHermitian<real> a = traceless_anti_hermitian(m);
    ExponentialSlope<real> s;
    set_slope(s, e, a);
    set_product(m, adjoint_of(e), arg.force.read(own, nu).matrix());
    AntiHermitian<real> l;
    pull_back(l, s, a, m);
    set_product(m, m, e);
    const Matrix<real> whole = l.matrix();
    set_product(e, u.read(), adjoint_of(c));
    set_product(e, e, whole);
    arg.force.write(own, nu, traceless_anti_hermitian(m - e));
    set_product(m, whole, u.read());
    arg.K.write(here, nu, scaled(real(-1.0), m));
  }
};

template <class S, int reconstruct> struct StapleForceArg : StoutForceArg<S, reconstruct> {
  using number = number_of<S>;
  Momentum<S> out;
  bool smeared[4];
  number factor;
  bool overwrite;

  StapleForceArg(const StapleForceCall &c, const TuneParam &)
      : StoutForceArg<S, reconstruct>(c, 4)
      , out(c.out)
      , smeared {}
      , factor(static_cast<number>(c.factor))
      , overwrite(c.overwrite)
  {
    for (int i = 0; i < c.of.count; i++) smeared[c.of.dirs[i]] = true;
  }
};

template <class Arg> struct StapleForce : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void set_gradient(Matrix<real> &sum, const Coord &x, int mu) const
  {
    sum = multiple_of_unity(real(0.0));
    for (int i = 0; i < arg.count; i++) {
      const int nu = arg.dirs[i];
      if (nu == mu) continue;
      Matrix<real> staples = multiple_of_unity(real(0.0));
      add_staple_pair(staples, arg.U, arg.K, arg.U, arg.index, x, mu, nu);
      sum = add_scaled(real(arg.weight[nu]), staples, sum);
      staples = multiple_of_unity(real(0.0));
      add_staple_pair(staples, arg.K, arg.U, arg.U, arg.index, x, mu, nu);
      add_staple_pair(staples, arg.U, arg.U, arg.K, arg.index, x, mu, nu);
      sum = add_scaled(real(arg.weight[mu]), staples, sum);
    }
  }

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Coord x = arg.index.coord(x_cb, entry % 2);
    const Place own = arg.own.here(arg.own.same(x));
    AntiHermitian<real> f = arg.force.read(own, mu);
    if (arg.smeared[mu]) {
      Matrix<real> g, m;
      set_gradient(g, x, mu);
      const typename Arg::Operand u(arg.U, arg.index.here(x), mu);
      set_product(m, u.read(), adjoint_of(g));
      f = add_scaled(real(1.0), traceless_anti_hermitian(m), f);
    }
    const real factor = real(arg.factor);
    arg.out.write(own, mu, arg.overwrite ? scaled(factor, f) : add_scaled(factor, f, arg.out.read(own, mu)));
  }
};

QUDA_INSTANCES(stout_gradient, StoutGradientCall, Launch2D<StoutGradient, StoutGradientArg>, Floating, Reconstructs<18>)
QUDA_INSTANCES(staple_force, StapleForceCall, Launch2D<StapleForce, StapleForceArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
