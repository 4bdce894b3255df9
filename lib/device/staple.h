#pragma once
/// Staples of a link: the paths of three links around it.
///   upper U_mu(y) U_nu(y+mu) U_mu(y+nu)^dag,   lower U_mu(y-mu)^dag U_nu(y-mu) U_mu(y-mu+nu)
/// or with sides and parallel link from other fields: A B C^dag and A^dag B C, A and C the sides.
/// A CPU's registers hold one product and one column of another: sums lie in memory, and each staple is a function of
/// its own.

#include "device/displacement.h"
#include "device/link_operand.h"
#include "device/products.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// sum += A_mu(y) B_nu(y+mu) C_mu(y+nu)^dag
template <class S, int recon> QUDA_OUTLINE void add_upper_staple(Matrix<Real<S>> &sum, const Gauge<S, recon> &A,
                                                                 const Gauge<S, recon> &B, const Gauge<S, recon> &C,
                                                                 const Place &y, const Place &y_mu, const Place &y_nu,
                                                                 int mu, int nu)
{
  const LinkOperand<S, recon> a(A, y, mu), b(B, y_mu, nu), c(C, y_nu, mu);
  const Matrix<Real<S>> ab = product(a.read(), b.read());
  add_product(sum, ab, adjoint_of(c.read()));
}

/// sum += w A_mu(z)^dag B_nu(z) C_mu(z+nu), z = y - mu
template <class S, int recon> QUDA_OUTLINE void add_lower_staple(Matrix<Real<S>> &sum, const Gauge<S, recon> &A,
                                                                 const Gauge<S, recon> &B, const Gauge<S, recon> &C,
                                                                 const Place &z, const Place &z_nu, int mu, int nu,
                                                                 number_of<S> weight = 1)
{
  const LinkOperand<S, recon> a(A, z, mu), b(B, z, nu), c(C, z_nu, mu);
  Matrix<Real<S>> ab = product(adjoint_of(a.read()), b.read());
  if (weight != 1) ab = scaled(Real<S>(weight), ab);
  add_product(sum, ab, c.read());
}

/// sum += A_nu(x) B_mu(x+nu) C_nu(x+mu)^dag + A_nu(x-nu)^dag B_mu(x-nu) C_nu(x-nu+mu)
template <class S, int recon, class Sites>
QUDA_DEVICE void add_staple_pair(Matrix<Real<S>> &sum, const Gauge<S, recon> &A, const Gauge<S, recon> &B,
                                 const Gauge<S, recon> &C, const Sites &index, const Coord &x, int mu, int nu)
{
  add_upper_staple(sum, A, B, C, index.here(x), index.neighbour(x, nu, +1), index.neighbour(x, mu, +1), nu, mu);
  add_lower_staple(sum, A, B, C, index.neighbour(x, nu, -1),
                   index.shifted(x, Displacement {}.step(nu, -1).step(mu, +1).dx), nu, mu);
}

/// Both sides of one field, as in HYP smearing.
template <class S, int recon, class Sites>
QUDA_DEVICE void add_staple_pair(Matrix<Real<S>> &sum, const Gauge<S, recon> &A, const Gauge<S, recon> &B,
                                 const Sites &index, const Coord &x, int mu, int nu)
{
  add_staple_pair(sum, A, B, A, index, x, mu, nu);
}

/// The same with all links from one field.
template <class S, int recon> QUDA_DEVICE void add_upper_staple(Matrix<Real<S>> &sum, const Gauge<S, recon> &U,
                                                                const Place &y, const Place &y_mu, const Place &y_nu,
                                                                int mu, int nu)
{
  add_upper_staple(sum, U, U, U, y, y_mu, y_nu, mu, nu);
}
template <class S, int recon> QUDA_DEVICE void add_lower_staple(Matrix<Real<S>> &sum, const Gauge<S, recon> &U,
                                                                const Place &z, const Place &z_nu, int mu, int nu,
                                                                number_of<S> weight = 1)
{
  add_lower_staple(sum, U, U, U, z, z_nu, mu, nu, weight);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
