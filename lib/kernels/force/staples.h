#pragma once
/// Sums over the staples of plaquettes and of 1 x 2 rectangles, with products that several staples share.
///   W_mu(x) = U_mu(x) C_mu(x)^dag, where it goes says path_sum.h
///   C_mu(x) = sum over nu and both signs, V_nu(y) = U_nu(y), or U_nu(y - nu)^dag downwards, nu accordingly:
///     p V_nu(x) U_mu(x+nu) V_nu(x+mu)^dag                                                     plaquette
///     c V_nu(x) V_nu(x+nu) U_mu(x+2nu) V_nu(x+mu+nu)^dag V_nu(x+mu)^dag                       across
///     a V_nu(x) U_mu(x+nu) U_mu(x+mu+nu) V_nu(x+2mu)^dag U_mu(x+mu)^dag                       along, ahead
///     a U_mu(x-mu)^dag V_nu(x-mu) U_mu(x-mu+nu) U_mu(x+nu) V_nu(x+mu)^dag                     along, behind
///   with weights p, c, a of each mu and nu.
/// Halo      : border of depth 1 (plaquettes) or 2, current. Collective: no.
/// Flops     : 198 a product, 18 a sum of matrices: PathSum::flops(). A link's plaquettes are 13 products, with its
///             rectangles 67.
/// Instances : double, single x recon 18, 12 = 4 of each.

#include "core/path.h"
#include "kernels/force/path_sum.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct StaplesArg : PathSumArg<T, recon> {
  T plaquette[4][4], along[4][4], across[4][4];

  template <class Call> StaplesArg(const Call &c, const TuneParam &tp)
      : PathSumArg<T, recon>(c, tp)
  {
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) {
        plaquette[mu][nu] = static_cast<T>(c.weights.plaquette[mu][nu]);
        along[mu][nu] = static_cast<T>(c.weights.along[mu][nu]);
        across[mu][nu] = static_cast<T>(c.weights.across[mu][nu]);
      }
  }
};

/// C += w [A B] D^dag
template <class R, class Link>
QUDA_OUTLINE void add_staple_above(Matrix<R> &sum, R w, const Link &a, const Link &b, const Link &d)
{
  Matrix<R> c = sum;
  QUDA_UNROLL
  for (int i = 0; i < 3; i++) {
    Complex<R> row[3], ab[3];
    row_of(row, a, i);
    row_times(ab, row, b);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) ab[j] = scaled(w, ab[j]);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) c(i, j) = conj_multiply_add(d(j, k), ab[k], c(i, j));
    }
  }
  sum = c;
}

/// C += w A^dag [B D]
template <class R, class Link>
QUDA_OUTLINE void add_staple_below(Matrix<R> &sum, R w, const Link &a, const Link &b, const Link &d)
{
  Matrix<R> c = sum;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    Complex<R> row[3], bd[3];
    row_of(row, b, k);
    row_times(bd, row, d);
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) bd[j] = scaled(w, bd[j]);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> e = a(k, i);
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) c(i, j) = conj_multiply_add(e, bd[j], c(i, j));
    }
  }
  sum = c;
}

template <class Arg> struct PlaquetteStaples : NoKernelOps {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  /// Asks for what no site before has read: links along t here, the others a slice ahead, those a plane ahead of the
  /// last cache.
  QUDA_DEVICE void ask(const Around &around) const
  {
    arg.U.storage.prefetch(around.here, 3, arg.prefetch);
    for (int mu = 0; mu < 3; mu++) arg.U.storage.prefetch(around.neighbour(3, +1), mu, arg.prefetch);
    for (int mu = 0; mu < 2; mu++) arg.U.storage.prefetch(around.neighbour(2, +1), mu, arg.prefetch);
  }

  /// Both staples of a plane.
  QUDA_DEVICE void plane(Matrix<real> &sum, const Around &around, int mu, int nu) const
  {
    Room<T, 18> room[3];
    const real weight = arg.plaquette[mu][nu];
    const Place here = around.here, up = around.neighbour(nu, +1), down = around.neighbour(nu, -1);
    const Place ahead = around.neighbour(mu, +1), corner = arg.place(around.x, mu, +1, nu, -1);
    add_staple_above(sum, weight, arg.link(here, nu, room[0]), arg.link(up, mu, room[1]), arg.link(ahead, nu, room[2]));
    add_staple_below(sum, weight, arg.link(down, nu, room[0]), arg.link(down, mu, room[1]),
                     arg.link(corner, nu, room[2]));
  }

  struct Site {
    Around around;
  };
  QUDA_DEVICE void locate(Site &site, unsigned x_cb, int parity) const
  {
    site.around.locate(arg.index, arg.index.coord(x_cb, parity));
  }

  QUDA_DEVICE void operator()(const Site &site) const
  {
    const Around &around = site.around;
    if (arg.prefetch) ask(around);
    Room<T, 18> room;
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> sum = multiple_of_unity(real(T(0))), w;
      for (int nu = 0; nu < 4; nu++)
        if (nu != mu) plane(sum, around, mu, nu);
      set_product_adjoint(w, arg.link(around.here, mu, room), sum);
      arg.finish(around.x, mu, w);
    }
  }
};

template <class Arg> struct RectangleStaples : NoKernelOps {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  /// One side of a plane. s = +1: V_nu(y) = U_nu(y), s = -1: U_nu(y - nu)^dag.
  struct Side {
    const Arg &arg;
    const Coord &x;
    int mu, nu, s;

    /// U_mu at x + n mu + m s nu
    QUDA_DEVICE WholeLink<T> u(int n, int m, Room<T, 18> &room) const
    {
      return arg.link(arg.place(x, mu, n, nu, s * m), mu, room);
    }
    /// the link that V_nu at x + n mu + m s nu is made of
    QUDA_DEVICE WholeLink<T> v(int n, int m, Room<T, 18> &room) const
    {
      return arg.link(arg.place(x, mu, n, nu, s > 0 ? m : -m - 1), nu, room);
    }
    /// C = V B
    template <class B> QUDA_DEVICE void set_left(Matrix<real> &c, const WholeLink<T> &v, const B &b) const
    {
      if (s > 0)
        set_product(c, v, b);
      else
        set_adjoint_product(c, v, b);
    }
    /// P = P V^dag
    QUDA_DEVICE void close(Matrix<real> &p, const WholeLink<T> &v) const
    {
      if (s > 0)
        multiply_by_adjoint(p, v);
      else
        multiply_by(p, v);
    }
  };

  QUDA_DEVICE void add(Matrix<real> &sum, const Side &side) const
  {
    const int mu = side.mu, nu = side.nu;
    const real plaquette = arg.plaquette[mu][nu], along = arg.along[mu][nu], across = arg.across[mu][nu];
    Room<T, 18> room[2];
    Matrix<real> corner, a, b;
    // V(x) U(x+nu) and, beyond it, the staple ahead
    const auto top = side.u(0, 1, room[0]);
    side.set_left(corner, side.v(0, 0, room[1]), top);
    const auto far = side.u(1, 1, room[1]);
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) a.e[k] = far(k / 3, k % 3);
    side.close(a, side.v(2, 0, room[1]));
    multiply_by_adjoint(a, side.u(1, 0, room[1]));
    set_product(b, corner, a);
    sum = add_scaled(along, b, sum);
    // all that ends with V(x+mu)^dag
    side.set_left(a, side.v(0, 1, room[1]), side.u(0, 2, room[0]));
    side.close(a, side.v(1, 1, room[1]));
    side.set_left(b, side.v(0, 0, room[1]), a);
    corner = add_scaled(across, b, scaled(plaquette, corner));
    side.set_left(a, side.v(-1, 0, room[1]), side.u(-1, 1, room[0]));
    set_adjoint_product(b, side.u(-1, 0, room[1]), a);
    multiply_by(b, side.u(0, 1, room[1]));
    corner = add_scaled(along, b, corner);
    side.close(corner, side.v(1, 0, room[1]));
    sum = sum + corner;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    Room<T, 18> room;
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> sum = multiple_of_unity(real(T(0))), w;
      for (int nu = 0; nu < 4; nu++)
        if (nu != mu)
          for (int s = 1; s >= -1; s -= 2) add(sum, {arg, x, mu, nu, s});
      set_product_adjoint(w, arg.link(arg.index.here(x), mu, room), sum);
      arg.finish(x, mu, w);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
