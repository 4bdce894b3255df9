#pragma once
/// Sums over the staples of 1 x 2 rectangles and of plaquettes, with products that several staples share.
///   W_mu(x) = U_mu(x) C_mu(x)^dag, where it goes says path_sum.h
///   C_mu(x) = sum over nu and both signs, V_nu(y) = U_nu(y), or U_nu(y - nu)^dag downwards, nu accordingly:
///     p V_nu(x) U_mu(x+nu) V_nu(x+mu)^dag                                                     plaquette
///     c V_nu(x) V_nu(x+nu) U_mu(x+2nu) V_nu(x+mu+nu)^dag V_nu(x+mu)^dag                       across
///     a V_nu(x) U_mu(x+nu) U_mu(x+mu+nu) V_nu(x+2mu)^dag U_mu(x+mu)^dag                       along, ahead
///     a U_mu(x-mu)^dag V_nu(x-mu) U_mu(x-mu+nu) U_mu(x+nu) V_nu(x+mu)^dag                     along, behind
///   with weights p, c, a of each mu and nu.
/// Halo      : border of depth 2 in cut directions, current. Collective: no.
/// Flops     : 67 products of 198 a link and 49 sums of 18: 56,592 a site. Counted as the field does, path by path,
///             67,320: path_sum_flops().
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
