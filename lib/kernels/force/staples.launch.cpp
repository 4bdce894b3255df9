/// Sums over the staples of 1 x 2 rectangles and of plaquettes, with products that several staples share.
///   W_mu(x) = U_mu(x) C_mu(x)^dag, where it goes says path_sum.h
///   C_mu(x) = sum over nu and both signs, V_nu(y) = U_nu(y), or U_nu(y - nu)^dag downwards, nu accordingly:
///     p V_nu(x) U_mu(x+nu) V_nu(x+mu)^dag                                                     plaquette
///     c V_nu(x) V_nu(x+nu) U_mu(x+2nu) V_nu(x+mu+nu)^dag V_nu(x+mu)^dag                       across
///     a V_nu(x) U_mu(x+nu) U_mu(x+mu+nu) V_nu(x+2mu)^dag U_mu(x+mu)^dag                       along, ahead
///     a U_mu(x-mu)^dag V_nu(x-mu) U_mu(x-mu+nu) U_mu(x+nu) V_nu(x+mu)^dag                     along, behind
///   with weights p, c, a of each mu and nu.
/// Halo      : border of depth 2 in cut directions, current. Collective: no.
/// Flops     : 67 products of 198 a link and 49 sums of 18: 56,592 a site. By the custom, path by path,
///             67,320: path_sum_flops().

#include "device/instances.h"
#include "kernels/force/path_sum.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct StaplesArg : PathSumArg<S, recon> {
  using number = number_of<S>;
  number plaquette[4][4], along[4][4], across[4][4];

  StaplesArg(const StaplesCall &c, const TuneParam &tp)
      : PathSumArg<S, recon>(c, tp)
  {
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) {
        plaquette[mu][nu] = static_cast<number>(c.weights.plaquette[mu][nu]);
        along[mu][nu] = static_cast<number>(c.weights.along[mu][nu]);
        across[mu][nu] = static_cast<number>(c.weights.across[mu][nu]);
      }
  }
};

template <class Arg> struct RectangleStaples : NoKernelOps {
  using real = typename Arg::real;
  using Operand = typename Arg::Operand;
  const Arg &arg;

  /// One side of a plane. s = +1: V_nu(y) = U_nu(y), s = -1: U_nu(y - nu)^dag.
  struct Side {
    const Arg &arg;
    const Coord &x;
    int mu, nu, s;

    /// U_mu at x + n mu + m s nu
    QUDA_DEVICE Operand u(int n, int m) const { return arg.link(arg.place(x, mu, n, nu, s * m), mu); }
    /// the link that V_nu at x + n mu + m s nu is made of
    QUDA_DEVICE Operand v(int n, int m) const { return arg.link(arg.place(x, mu, n, nu, s > 0 ? m : -m - 1), nu); }
    /// C = V(n, m) B
    template <class B> QUDA_OUTLINE void set_left(Matrix<real> &c, int n, int m, const B &b) const
    {
      const Operand v = this->v(n, m);
      if (s > 0)
        set_product(c, v.read(), b);
      else
        set_product(c, adjoint_of(v.read()), b);
    }
    /// C = V(n, m) U(k, l)
    QUDA_OUTLINE void set_corner(Matrix<real> &c, int n, int m, int k, int l) const
    {
      const Operand u = this->u(k, l);
      set_left(c, n, m, u.read());
    }
    /// P = P V(n, m)^dag
    QUDA_OUTLINE void close(Matrix<real> &p, int n, int m) const
    {
      const Operand v = this->v(n, m);
      if (s > 0)
        set_product(p, p, adjoint_of(v.read()));
      else
        set_product(p, p, v.read());
    }
    /// P = U(1, 1) V(2, 0)^dag U(1, 0)^dag
    QUDA_OUTLINE void set_ahead(Matrix<real> &p) const
    {
      const Operand far = u(1, 1);
      set_matrix(p, far.read());
      close(p, 2, 0);
      const Operand back = u(1, 0);
      set_product(p, p, adjoint_of(back.read()));
    }
    /// C = U(-1, 0)^dag B U(0, 1)
    QUDA_OUTLINE void set_behind(Matrix<real> &c, const Matrix<real> &b) const
    {
      const Operand first = u(-1, 0);
      set_product(c, adjoint_of(first.read()), b);
      const Operand last = u(0, 1);
      set_product(c, c, last.read());
    }
  };

  QUDA_DEVICE void add(Matrix<real> &sum, const Side &side) const
  {
    const real plaquette = arg.plaquette[side.mu][side.nu], along = arg.along[side.mu][side.nu],
               across = arg.across[side.mu][side.nu];
    Matrix<real> corner, a, b;
    // V(x) U(x+nu) and, beyond it, the staple ahead
    side.set_corner(corner, 0, 0, 0, 1);
    side.set_ahead(a);
    set_product(b, corner, a);
    sum = add_scaled(along, b, sum);
    // all that ends with V(x+mu)^dag
    side.set_corner(a, 0, 1, 0, 2);
    side.close(a, 1, 1);
    side.set_left(b, 0, 0, a);
    corner = add_scaled(across, b, scaled(plaquette, corner));
    side.set_corner(a, -1, 0, -1, 1);
    side.set_behind(b, a);
    corner = add_scaled(along, b, corner);
    side.close(corner, 1, 0);
    sum = sum + corner;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    for (int mu = 0; mu < 4; mu++) {
      Matrix<real> sum = multiple_of_unity(real(0.0)), w;
      for (int nu = 0; nu < 4; nu++)
        if (nu != mu)
          for (int s = 1; s >= -1; s -= 2) add(sum, {arg, x, mu, nu, s});
      set_product(w, arg.link(arg.index.here(x), mu).read(), adjoint_of(sum));
      arg.finish(x, mu, w);
    }
  }
};

QUDA_INSTANCES(rectangle_staples, StaplesCall, Launch2D<RectangleStaples, StaplesArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
