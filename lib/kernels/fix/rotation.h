#pragma once
/// Links under a gauge rotation, shared by the kernels of gauge fixing.
///   M(x) = g(x) sum over mu < directions of [ U_mu(x) g(x+mu)^dag + U_mu(x-mu)^dag g(x-mu)^dag ]
/// is the sum of the rotated links that begin at x and of the adjoints of those that end there.
/// Halo : of the links a border of depth 1 or more, of g slots of depth 1. Collective: no. Flops: 3,492 a site in four
///        dimensions, 2,664 in three.

#include "device/link_operand.h"
#include "device/products.h"
#include "device/site_arg.h"
#include "kernels/fix/fix_call.h"
#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A matrix in memory, in the lanes of its own site.
template <class S> QUDA_DEVICE Matrix<Real<S>> stored_matrix(const Storage<S, 18> &g, const Place &n)
{
  const auto q = g.read(n, 0);
  Matrix<Real<S>> m;
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) m.e[k] = {q[2 * k], q[2 * k + 1]};
  return m;
}

template <class S> QUDA_DEVICE void store_matrix(const Storage<S, 18> &g, const Place &n, const Matrix<Real<S>> &m)
{
  Real<S> v[18];
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) {
    v[2 * k] = m.e[k].re;
    v[2 * k + 1] = m.e[k].im;
  }
  g.write(n, 0, v);
}

template <class S, int reconstruct> struct RotationArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index own; // of g
  Gauge<S, recon> U;
  Storage<S, 18> g;
  HaloSlots<S, 18> halo;

  RotationArg(const RotationCall &c, unsigned parities)
      : BorderArg(c.links.field.lattice, parities)
      , own(c.rotation.field.lattice)
      , U(c.links)
      , g(c.rotation.field)
      , halo(c.rotation.halo)
  {
  }

  /// g one step along d from x, s = +1 or -1, in the lanes of x.
  QUDA_OUTLINE void rotation(Matrix<real> &m, const Coord &x, int d, int s) const
  {
    const Place n = own.neighbour(own.same(x), d, s);
    if (n.beyond) {
      m = stored_matrix(halo.slot[d][s > 0], n);
    } else {
      m = stored_matrix(g, n);
      if (n.shift) {
        QUDA_UNROLL
        for (int k = 0; k < 9; k++) m.e[k] = {moved(m.e[k].re, n), moved(m.e[k].im, n)};
      }
    }
  }

  QUDA_DEVICE Place at(const Coord &x) const { return own.here(own.same(x)); }

  /// M(x), here being g(x)
  QUDA_DEVICE void sum(Matrix<real> &m, const Matrix<real> &here, const Coord &x, int directions) const
  {
    Matrix<real> sum = multiple_of_unity(real(0.0)), far; // the adjoint of the factor of g(x)
    for (int mu = 0; mu < directions; mu++) {
      rotation(far, x, mu, +1);
      const LinkOperand<S, recon> begins(U, index.here(x), mu);
      accumulate(sum, far, adjoint_of(begins.read()));
      rotation(far, x, mu, -1);
      const LinkOperand<S, recon> ends(U, index.neighbour(x, mu, -1), mu);
      accumulate(sum, far, ends.read());
    }
    set_product(m, here, adjoint_of(sum));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
