#pragma once
/// Plaquettes through the four links of a site, shared by the plaquette force and stout smearing:
///   S_nu(x) = sum over mu and both sides of w_nu,mu (C U_nu(x)^dag - U_nu(x) C^dag), C the staple of U_nu(x)
/// The upper staple of U_nu in direction mu and that of U_mu in direction nu are one plaquette and its adjoint once
/// they are multiplied with their links, so a plane's plaquette is made once for both.
/// Halo      : border of depth 1 or more in cut directions, current.
/// Flops     : a plane's upper plaquette 576 (two products, the second one's anti-Hermitian part only), each lower
///             staple 396, each link 180: 8,928 a site in four dimensions, 4,644 in three. With whole matrices
///             throughout, as is usual, 10,296 and 5,346.

#include "core/tune_param.h"
#include "device/site_arg.h"
#include "device/staple.h"
#include "device/thread_local_cache.h"
#include "device/walk_order.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct CurlArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Steps steps;
  Gauge<S, recon> U;
  int dirs[4]; // directions of links and planes
  int count;   // number of directions
  number weight[4][4];
  int prefetch; // registers ahead

  CurlArg(const GaugeView &links, const TuneParam &tp)
      : BorderArg(links.field.lattice, 2)
      , steps(index)
      , U(links)
      , prefetch(tp.prefetch)
  {
  }
};

/// P - P^dag of the plaquette P = [U_mu(x) U_nu(x+mu)] [U_nu(x) U_mu(x+nu)]^dag, trace included.
template <class S, int recon> QUDA_OUTLINE AntiHermitian<Real<S>>
curl(const Gauge<S, recon> &U, const Place &here, const Place &at_mu, const Place &at_nu, int mu, int nu)
{
  const LinkOperand<S, recon> a(U, here, mu), b(U, at_mu, nu);
  const auto ab = product(a.read(), b.read());
  const LinkOperand<S, recon> c(U, here, nu), d(U, at_nu, mu);
  const auto cd = product(c.read(), d.read());
  return anti_hermitian_product(ab, cd);
}

template <class Arg> using Curls = ThreadLocalCache<AntiHermitian<typename Arg::real>, 4>;

/// The sums of one site: upper() for all links, then whole() link by link.
template <class Arg> struct CurlSum {
  using real = typename Arg::real;
  const Arg &arg;
  Curls<Arg> &sum;
  const Around &around;

  CurlAhead<typename Arg::stored, Arg::recon> ahead {};

  QUDA_DEVICE void upper()
  {
    AntiHermitian<real> zero;
    for (int n = 0; n < 3; n++) {
      zero.diag[n] = real(0.0);
      zero.off[n] = {zero.diag[n], zero.diag[n]};
    }
    for (int i = 0; i < arg.count; i++) sum.save(zero, arg.dirs[i]);
    for (int i = 1; i < arg.count; i++)
      for (int j = 0; j < i; j++) {
        const int nu = arg.dirs[i], mu = arg.dirs[j];
        ahead.prefetch();
        const AntiHermitian<real> s =
            curl(arg.U, around.here, around.neighbour(mu, +1), around.neighbour(nu, +1), mu, nu);
        sum.save(add_scaled(real(arg.weight[nu][mu]), s, sum.load(nu)), nu);
        sum.save(add_scaled(real(-arg.weight[mu][nu]), s, sum.load(mu)), mu);
      }
  }

  QUDA_DEVICE Matrix<real> lower(int nu)
  {
    Matrix<real> staples = multiple_of_unity(real(0.0));
    for (int j = 0; j < arg.count; j++) {
      const int mu = arg.dirs[j];
      if (mu == nu) continue;
      ahead.prefetch();
      add_lower_staple(staples, arg.U, around.neighbour(mu, -1),
                       arg.index.shifted(around.x, Displacement {}.step(mu, -1).step(nu, +1).dx), mu, nu,
                       arg.weight[nu][mu]);
    }
    return staples;
  }

  /// S_nu(x), u the link
  template <class Link> QUDA_DEVICE AntiHermitian<real> whole(const Matrix<real> &lower, const Link &u, int nu) const
  {
    return add_scaled(real(1.0), anti_hermitian_product(lower, u), sum.load(nu));
  }
};

/// One site of a kernel whose finish(curls, lower, nu) turns curls.whole() into the result for link nu.
template <class Arg, class Kernel>
QUDA_DEVICE void sum_curls(const Kernel &kernel, const Arg &arg, unsigned x_cb, int parity)
{
  Around around;
  around.locate(arg.index, arg.steps, arg.index.coord(x_cb, parity));
  Curls<Arg> sum {kernel};
  CurlSum<Arg> curls {arg, sum, around};
  curls.ahead.begin(arg.U, arg.index, around, arg.dirs, arg.count, arg.prefetch);
  curls.upper();
  for (int i = 0; i < arg.count; i++) {
    const Matrix<typename Arg::real> lower = curls.lower(arg.dirs[i]);
    curls.ahead.prefetch();
    kernel.finish(curls, lower, arg.dirs[i]);
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
