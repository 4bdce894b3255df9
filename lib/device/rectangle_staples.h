#pragma once
/// Staples of plaquettes and of 1 x 2 rectangles on one side of a plane, with shared products.
/// V_nu(y) = U_nu(y), or U_nu(y - nu)^dag on the lower side, nu accordingly:
///   p V_nu(x) U_mu(x+nu) V_nu(x+mu)^dag                                                     plaquette
///   c V_nu(x) V_nu(x+nu) U_mu(x+2nu) V_nu(x+mu+nu)^dag V_nu(x+mu)^dag                       across
///   a V_nu(x) U_mu(x+nu) U_mu(x+mu+nu) V_nu(x+2mu)^dag U_mu(x+mu)^dag                       along, ahead
///   a U_mu(x-mu)^dag V_nu(x-mu) U_mu(x-mu+nu) U_mu(x+nu) V_nu(x+mu)^dag                     along, behind
/// Halo  : border of depth 2 in cut directions, current.
/// Flops : 11 products of 198 and 8 sums of 18 a side.

#include "core/path.h"
#include "device/link_operand.h"
#include "device/products.h"
#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// One side of the plane of mu and nu. s = +1: V_nu(y) = U_nu(y), s = -1: U_nu(y - nu)^dag.
template <class S, int recon> struct PlaneSide {
  using real = Real<S>;
  using Operand = LinkOperand<S, recon>;
  const Gauge<S, recon> &U;
  const BorderIndex &index;
  const Coord &x;
  int mu, nu, s;

  /// The place n steps along mu and m along nu.
  QUDA_DEVICE Place place(int n, int m) const
  {
    int dx[4];
    QUDA_UNROLL
    for (int k = 0; k < 4; k++) dx[k] = k == mu ? n : k == nu ? m : 0;
    return index.shifted(x, dx);
  }
  /// U_mu at x + n mu + m s nu
  QUDA_DEVICE Operand u(int n, int m) const { return Operand(U, place(n, s * m), mu); }
  /// the link in V_nu at x + n mu + m s nu
  QUDA_DEVICE Operand v(int n, int m) const { return Operand(U, place(n, s > 0 ? m : -m - 1), nu); }
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

/// sum += the staples of a side, with weights p, a, c.
template <class S, int recon> QUDA_DEVICE void add_staples(Matrix<Real<S>> &sum, const PlaneSide<S, recon> &side,
                                                           Real<S> plaquette, Real<S> along, Real<S> across)
{
  Matrix<Real<S>> corner, a, b;
  // V(x) U(x+nu) and, continuing it, the staple ahead
  side.set_corner(corner, 0, 0, 0, 1);
  side.set_ahead(a);
  set_product(b, corner, a);
  sum = add_scaled(along, b, sum);
  // all terms that end with V(x+mu)^dag
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

/// StapleWeights in a kernel's number type.
template <class number> struct LoopWeights {
  number plaquette[4][4], along[4][4], across[4][4];

  explicit LoopWeights(const StapleWeights &w)
  {
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) {
        plaquette[mu][nu] = static_cast<number>(w.plaquette[mu][nu]);
        along[mu][nu] = static_cast<number>(w.along[mu][nu]);
        across[mu][nu] = static_cast<number>(w.across[mu][nu]);
      }
  }
};

/// C_mu(x), the sum over both sides of all planes.
template <class S, int recon> QUDA_DEVICE void sum_staples(Matrix<Real<S>> &sum, const Gauge<S, recon> &U,
                                                           const BorderIndex &index, const Coord &x, int mu,
                                                           const LoopWeights<number_of<S>> &weights)
{
  using real = Real<S>;
  sum = multiple_of_unity(real(0.0));
  for (int nu = 0; nu < 4; nu++)
    if (nu != mu)
      for (int s = 1; s >= -1; s -= 2)
        add_staples<S, recon>(sum, {U, index, x, mu, nu, s}, real(weights.plaquette[mu][nu]),
                              real(weights.along[mu][nu]), real(weights.across[mu][nu]));
}

} // namespace quda::QUDA_TARGET_NAMESPACE
