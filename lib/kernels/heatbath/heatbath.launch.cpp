/// One update of the links of one direction and parity: heat bath (Cabibbo and Marinari, Phys. Lett. 119B (1982) 387)
/// or over-relaxation, for actions of plaquettes, or of plaquettes and 1 x 2 rectangles.
///   weight of U = U_mu(x) : exp((beta/3) Re tr U S^dag), S the weighted sum of the staples parallel to U: six from
///     plaquettes (heatbath), and 18 from rectangles (improved_heatbath, rectangle_staples.h)
///   for the subgroups (0, 1), (1, 2), (0, 2) in turn: M = U S^dag, r = k r^ its part there (su2.h),
///     heat bath         a of density sqrt(1 - a_0^2) exp((beta/3) k a_0), U <- (a r^^dag) U
///     over-relaxation   U <- (r^^dag)^2 U, which keeps Re tr U S^dag
///   then rows of U made orthonormal, the third their conjugate cross product.
/// Rectangles hold links of one direction and parity together, so that only one color (colors.h) is updated at a time;
/// the others are written unchanged, or not at all.
/// Signs of an antiperiodic boundary stand in U and S alike and stay: each link keeps its determinant's sign.
/// U         : (mu 4, parity 2, x_cb, row 3, col 3) complex, in place; no link it reads is changed by the same launch.
/// Halo      : border in cut directions, corners included, current, of depth 1 or more, with rectangles 2; not written.
/// Collective: no.
/// Flops     : 2,808 a link for staples, U S^dag, subgroups and rows, 14,274 with rectangles; random numbers are
///             not counted.

#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/rectangle_staples.h"
#include "device/site_arg.h"
#include "device/unitarise.h"
#include "device/walk_order.h"
#include "kernels/heatbath/colors.h"
#include "kernels/heatbath/heatbath_call.h"
#include "kernels/heatbath/su2.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct HeatbathArg : BorderArg {
  static constexpr bool colored = false;
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  GlobalSites sites;
  Gauge<S, recon> U;
  int mu, parity;
  bool relax;    // over-relaxation instead of the heat bath
  number beta_3; // beta / 3
  LoopWeights<number> weights;
  unsigned long long seed;
  unsigned first; // draw of this direction and update
  unsigned sweep;
  int prefetch; // registers ahead

  HeatbathArg(const HeatbathCall &c, const TuneParam &tp, int border = 1)
      : BorderArg(c.links.field.lattice, border)
      , sites(c.links.field.lattice)
      , U(c.links)
      , mu(c.mu)
      , parity(c.parity)
      , relax(c.relax)
      , beta_3(static_cast<number>(c.beta / 3))
      , weights(c.weights)
      , seed(c.seed)
      , first(first_draw(Purpose::heatbath, c.mu, c.update))
      , sweep(c.sweep)
      , prefetch(tp.prefetch)
  {
  }

  /// The two staples in the plane of mu and nu, from x to x + mu.
  QUDA_OUTLINE Matrix<real> of_plane(const Coord &x, int nu) const
  {
    prefetch_staples(U, index, x, mu, nu, prefetch);
    const auto over = product(U.matrix(index.here(x), nu), U.matrix(index.neighbour(x, nu, +1), mu));
    const auto upper = product(over, adjoint_of(U.matrix(index.neighbour(x, mu, +1), nu)));
    const Place below = index.neighbour(x, nu, -1);
    const Place corner = index.shifted(x, Displacement {}.step(mu, +1).step(nu, -1).dx);
    const auto under = product(U.matrix(below, mu), U.matrix(corner, nu));
    return upper + product(adjoint_of(U.matrix(below, nu)), under);
  }

  QUDA_DEVICE void sum_of_staples(Matrix<real> &sum, const Coord &x) const
  {
    const auto weight = [this](int nu) QUDA_LAMBDA { return real(weights.plaquette[mu][nu]); };
    const int first = (mu + 1) & 3;
    sum = scaled(weight(first), of_plane(x, first));
    for (int i = 2; i < 4; i++) {
      const int nu = (mu + i) & 3;
      sum = add_scaled(weight(nu), of_plane(x, nu), sum);
    }
  }
};

template <class S, int recon> struct ImprovedHeatbathArg : HeatbathArg<S, recon> {
  static constexpr bool colored = true;
  using real = Real<S>;
  SiteColors colors;
  int color;

  ImprovedHeatbathArg(const HeatbathCall &c, const TuneParam &tp)
      : HeatbathArg<S, recon>(c, tp, 2)
      , colors(c.links.field.lattice, c.mu)
      , color(c.color)
  {
  }

  QUDA_DEVICE void sum_of_staples(Matrix<real> &sum, const Coord &x) const
  {
    sum_staples(sum, this->U, this->index, x, this->mu, this->weights);
  }
  QUDA_DEVICE auto chosen(const Coord &x) const { return colors.has<S>(x, color); }
};

template <class Arg> struct Heatbath : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// The element of the subgroup that U is to be multiplied by.
  QUDA_DEVICE Quaternion<real> element(const Matrix<real> &m, int p, int q, const SiteRandom<real> &random,
                                       unsigned draw) const
  {
    Quaternion<real> r = subgroup_part(m, p, q);
    const real one = real(1.0), zero = real(0.0);
    const real k = sqrt(fma(r.a[3], r.a[3], fma(r.a[2], r.a[2], fma(r.a[1], r.a[1], r.a[0] * r.a[0]))));
    const auto none = k == zero;
    const real scale = one / select(none, one, k);
    QUDA_UNROLL
    for (int i = 0; i < 4; i++) r.a[i] = scale * r.a[i];
    r.a[0] = select(none, one, r.a[0]);
    if (arg.relax) {
      const real twice = -(r.a[0] + r.a[0]);
      return {{fms(r.a[0] + r.a[0], r.a[0], one), twice * r.a[1], twice * r.a[2], twice * r.a[3]}};
    }
    const real d = draw_weight(real(arg.beta_3) * k, random, draw + 1);
    return multiply_adjoint(draw_direction(d, random, draw), r);
  }

  QUDA_DEVICE Matrix<real> updated(const Coord &x) const
  {
    const Place here = arg.index.here(x);
    const int mu = arg.mu;
    Matrix<real> sum;
    arg.sum_of_staples(sum, x);
    if (arg.prefetch) arg.U.storage.prefetch(here, mu, arg.prefetch);
    Matrix<real> u = arg.U.matrix(here, mu);
    Matrix<real> m = product(u, adjoint_of(sum));
    const SiteRandom<real> random(arg.sites, x, arg.seed, arg.first, arg.sweep);
    QUDA_UNROLL
    for (int s = 0; s < 3; s++) {
      const int p = s == 1, q = s == 0 ? 1 : 2;
      const Quaternion<real> g = element(m, p, q, random, s * draws_of_subgroup);
      multiply_rows(g, p, q, u);
      multiply_rows(g, p, q, m);
    }
    real overlap = real(0.0); // of the third row with that of a link without a sign
    const Complex<real> third[3] = {u(2, 0), u(2, 1), u(2, 2)};
    unitarise_rows(u);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) overlap = fma(third[j].re, u(2, j).re, fma(third[j].im, u(2, j).im, overlap));
    const real one = real(1.0), sign = select(overlap < real(0.0), -one, one);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) u(2, j) = scaled(sign, u(2, j));
    return u;
  }

  QUDA_DEVICE void operator()(unsigned x_cb) const
  {
    const Coord x = arg.index.coord(x_cb, arg.parity);
    const Place here = arg.index.here(x);
    if constexpr (!Arg::colored) {
      arg.U.write(here, arg.mu, updated(x));
    } else {
      const auto chosen = arg.chosen(x);
      if (!any(chosen)) return;
      Matrix<real> u = updated(x);
      const Matrix<real> old = arg.U.matrix(here, arg.mu);
      QUDA_UNROLL
      for (int k = 0; k < 9; k++)
        u.e[k] = {select(chosen, u.e[k].re, old.e[k].re), select(chosen, u.e[k].im, old.e[k].im)};
      arg.U.write(here, arg.mu, u);
    }
  }
};

QUDA_INSTANCES(heatbath, HeatbathCall, Launch1D<Heatbath, HeatbathArg>, Floating, WilsonLinks)
QUDA_INSTANCES(improved_heatbath, HeatbathCall, Launch1D<Heatbath, ImprovedHeatbathArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
