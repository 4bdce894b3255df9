#pragma once
/// Over-improved stout smearing, one step (Moran and Leinweber, arXiv:0801.1165).
///   U'_nu(x) = exp( TA[ (s C_nu(x) + r R_nu(x)) U_nu(x)^dag ] ) U_nu(x),   s = rho (5 - 2 epsilon) / 3,
///   r = -rho (1 - epsilon) / 12; C_nu the sum of the staples, R_nu that of the 2 x 1 and 1 x 2 paths: each is a staple
///   with one of its three links replaced by that link's own staple, away from U_nu(x).
/// in, out   : as in stout.h. Halo: border of depth 2 or more in cut directions, current. Collective: no.
/// Flops     : 53,784 a site in four dimensions, 27,270 in three: 11 products a side of a plane (those that paths share
///             are made once), two with the link. Exponentials not counted. Bytes: StoutStep::bytes().
/// Instances : double, single x recon 18, 12 = 4.

#include "kernels/smear/stout.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct OverImprovedStoutArg : StoutArg<T, recon> {
  T rectangles;

  template <class Call> OverImprovedStoutArg(const Call &c, const TuneParam &tp)
      : StoutArg<T, recon>(c, tp)
      , rectangles(static_cast<T>(c.rectangles))
  {
    this->threads[2] = c.count;
  }
};

/// C += A B
template <class R, class A, class B> QUDA_OUTLINE void accumulate(Matrix<R> &c, const A &a, const B &b)
{
  Matrix<R> sum = c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) sum(i, j) = multiply_add(a(i, k), bkj, sum(i, j));
    }
  }
  c = sum;
}

/// C += A^dag B
template <class R, class A, class B> QUDA_OUTLINE void accumulate_adjoint(Matrix<R> &c, const A &a, const B &b)
{
  Matrix<R> sum = c;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      const Complex<R> bkj = b(k, j);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) sum(i, j) = conj_multiply_add(a(k, i), bkj, sum(i, j));
    }
  }
  c = sum;
}

template <class Arg> struct OverImprovedStout : KernelOps<ThreadLocalCache<Matrix<typename Arg::real>>> {
  using T = typename Arg::number;
  using real = typename Arg::real;
  using Operand = LinkOperand<T, Arg::recon>;
  using Sum = ThreadLocalCache<Matrix<real>>;
  const Arg &arg;

  QUDA_DEVICE Place place(const Coord &x, const Displacement &at) const { return arg.index.shifted(x, at.dx); }

  QUDA_DEVICE Operand operand(const Coord &x, const Displacement &at, int mu) const
  {
    return Operand(arg.U, place(x, at), mu);
  }

  /// r times the staple beyond a link of direction nu at x + at, on the upper or lower side in direction mu.
  QUDA_DEVICE Matrix<real> outer(const Coord &x, const Displacement &at, int mu, int nu, bool upper) const
  {
    Matrix<real> staple = multiple_of_unity(real(T(0)));
    if (upper) {
      add_upper_staple(staple, arg.U, place(x, at), place(x, at.step(mu, +1)), place(x, at.step(nu, +1)), mu, nu);
    } else {
      const Displacement z = at.step(mu, -1);
      add_lower_staple(staple, arg.U, place(x, z), place(x, z.step(nu, +1)), mu, nu);
    }
    return scaled(real(arg.rectangles), staple);
  }

  /// s A B C^dag + r (A' B C^dag + A B' C^dag + A B C'^dag), A B C^dag the upper staple, ' a link's outer staple
  QUDA_DEVICE void add_upper(Sum &sum, const Coord &x, int mu, int nu) const
  {
    const Displacement here {}, right = here.step(mu, +1), above = here.step(nu, +1);
    const Operand a = operand(x, here, mu), b = operand(x, right, nu), c = operand(x, above, mu);
    const Matrix<real> ab = product<real>(a.read(), b.read());
    Matrix<real> part = scaled(real(arg.staples), ab);
    accumulate(part, outer(x, here, nu, mu, false), b.read());
    accumulate(part, a.read(), outer(x, right, mu, nu, true));
    const Matrix<real> beyond = outer(x, above, nu, mu, true);
    Matrix<real> all = sum;
    add_product_adjoint(all, part, c.read());
    add_product_adjoint(all, ab, beyond);
    sum = all;
  }

  /// The same of the lower staple A^dag B C.
  QUDA_DEVICE void add_lower(Sum &sum, const Coord &x, int mu, int nu) const
  {
    const Displacement left = Displacement {}.step(mu, -1), above = left.step(nu, +1);
    const Operand a = operand(x, left, mu), b = operand(x, left, nu), c = operand(x, above, mu);
    const Matrix<real> ab = adjoint_product<real>(a.read(), b.read());
    Matrix<real> part = scaled(real(arg.staples), ab);
    accumulate_adjoint(part, outer(x, left, nu, mu, false), b.read());
    accumulate_adjoint(part, a.read(), outer(x, left, mu, nu, false));
    const Matrix<real> beyond = outer(x, above, nu, mu, true);
    Matrix<real> all = sum;
    add_product(all, part, c.read());
    add_product(all, ab, beyond);
    sum = all;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int i) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const int nu = arg.dirs[i];
    if (arg.prefetch) arg.U.storage.prefetch(arg.index.neighbour(x, arg.dirs[arg.count - 1], +1), nu, arg.prefetch);
    Sum sum {*this};
    sum = multiple_of_unity(real(T(0)));
    for (int k = 0; k < arg.count; k++) {
      const int mu = arg.dirs[k];
      if (mu == nu) continue;
      add_upper(sum, x, mu, nu);
      add_lower(sum, x, mu, nu);
    }
    const Operand u = operand(x, {}, nu);
    const auto s = anti_hermitian_product<real>(sum.load(), u.read());
    rotate_link(arg, arg.index.here(x), nu, scaled_traceless(real(T(0.5)), s), u.read());
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
