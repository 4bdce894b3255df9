#pragma once
/// Stout smearing, one step (Morningstar and Peardon, hep-lat/0311018, eq. 1-4).
///   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),   C_nu = sum of the staples, nu and mu in the smeared
///   directions; TA(M) = (M - M^dag)/2, made traceless. Links of other directions are not written.
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex, lattice units; must not alias. Borders are not written.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : 9,720 a site in four dimensions, 5,238 in three. A plane's plaquette is made once for its two upper
///             staples (576), each lower staple takes two products (396), each link the products with its staples and
///             with its exponential (378). Whole products throughout would be 11,088 and 5,940.
///             Not counted: exponentials, some 360 a link in double. Bytes: StoutStep::bytes().
/// Instances : double, single x recon 18, 12 = 4.

#include "core/tune_param.h"
#include "device/exponential.h"
#include "device/thread_local_cache.h"
#include "kernels/gauge/staple.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int reconstruct> struct StoutArg {
  using number = T;
  using real = Real<T>;
  static constexpr int recon = reconstruct;
  unsigned threads[3];
  Index index;
  Gauge<T, recon> U;
  Storage<T, recon> out;
  T staples;    // rho
  int dirs[4];  // smeared
  int count;    // of them
  int prefetch; // registers ahead
  int streaming;

  template <class Call> StoutArg(const Call &c, const TuneParam &tp)
      : index(c.in.field.lattice)
      , U(c.in)
      , out(c.out.field)
      , staples(static_cast<T>(c.staples))
      , count(c.count)
      , prefetch(tp.aux[0])
      , streaming(tp.aux[1])
  {
    for (int d = 0; d < 4; d++) dirs[d] = c.dirs[d];
    threads[0] = index.registers();
    threads[1] = 2;
    threads[2] = 1;
  }
};

/// out_nu(x) = exp(X) U_nu(x)
template <class Arg, class Link, class R>
QUDA_DEVICE void rotate_link(const Arg &arg, const Place &here, int nu, const AntiHermitian<R> &x, const Link &u)
{
  using T = typename Arg::number;
  constexpr int recon = Arg::recon;
  const Matrix<R> e = exponential<T>(x);
  R v[recon];
  QUDA_UNROLL
  for (int i = 0; i < recon / 6; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      Complex<R> c = multiply(e(i, 0), u(0, j));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c = multiply_add(e(i, k), u(k, j), c);
      v[6 * i + 2 * j] = c.re;
      v[6 * i + 2 * j + 1] = c.im;
    }
  }
  arg.out.write(here, nu, v, arg.streaming);
}

/// P - P^dag of the plaquette P = [U_mu(x) U_nu(x+mu)] [U_nu(x) U_mu(x+nu)]^dag, trace and all.
template <class T, int recon> QUDA_OUTLINE AntiHermitian<Real<T>>
curl(const Gauge<T, recon> &U, const Place &here, const Place &at_mu, const Place &at_nu, int mu, int nu)
{
  const LinkOperand<T, recon> a(U, here, mu), b(U, at_mu, nu);
  const Matrix<Real<T>> ab = product<Real<T>>(a.read(), b.read());
  const LinkOperand<T, recon> c(U, here, nu), d(U, at_nu, mu);
  const Matrix<Real<T>> cd = product<Real<T>>(c.read(), d.read());
  return anti_hermitian_product<Real<T>>(ab, cd);
}

template <class Arg> using Curls = ThreadLocalCache<AntiHermitian<typename Arg::real>, 4>;

/// A site at a time. The upper staple of U_nu in direction mu and that of U_mu in direction nu are one plaquette and
/// its adjoint once they are multiplied with their links, so a plane's plaquette is made once for both.
template <class Arg> struct Stout : KernelOps<Curls<Arg>> {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  /// Asks for what the sites just before have not read: links a step away in the slowest smeared direction and, next to
  /// them and here, a step ahead in the one before it.
  QUDA_DEVICE void ask(const Around &around) const
  {
    const int slow = arg.dirs[arg.count - 1], middle = arg.dirs[arg.count > 1 ? arg.count - 2 : 0];
    const Place corner = arg.index.shifted(around.x, Displacement {}.step(slow, -1).step(middle, +1).dx);
    for (int i = 0; i < arg.count; i++) {
      arg.U.storage.prefetch(around.neighbour(slow, +1), arg.dirs[i], arg.prefetch);
      arg.U.storage.prefetch(corner, arg.dirs[i], arg.prefetch);
      arg.U.storage.prefetch(around.neighbour(middle, +1), arg.dirs[i], arg.prefetch);
    }
  }

  /// The upper staples times the adjoint of their link, anti-Hermitian part.
  QUDA_DEVICE void upper(Curls<Arg> &sum, const Around &around) const
  {
    AntiHermitian<real> zero;
    for (int n = 0; n < 3; n++) {
      zero.diag[n] = real(T(0));
      zero.off[n] = {zero.diag[n], zero.diag[n]};
    }
    for (int i = 0; i < arg.count; i++) sum.save(zero, arg.dirs[i]);
    for (int i = 1; i < arg.count; i++)
      for (int j = 0; j < i; j++) {
        const int nu = arg.dirs[i], mu = arg.dirs[j];
        const AntiHermitian<real> s =
            curl(arg.U, around.here, around.neighbour(mu, +1), around.neighbour(nu, +1), mu, nu);
        sum.save(add_scaled(real(T(1)), s, sum.load(nu)), nu);
        sum.save(add_scaled(real(T(-1)), s, sum.load(mu)), mu);
      }
  }

  QUDA_OUTLINE void finish(Curls<Arg> &sum, const Place &here, const Matrix<real> &lower, int nu) const
  {
    const LinkOperand<T, Arg::recon> u(arg.U, here, nu);
    const AntiHermitian<real> s = anti_hermitian_product<real>(lower, u.read());
    const AntiHermitian<real> all = add_scaled(real(T(1)), s, sum.load(nu));
    rotate_link(arg, here, nu, scaled_traceless(real(T(0.5) * arg.staples), all), u.read());
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    Around around;
    around.locate(arg.index, arg.index.coord(x_cb, parity));
    if (arg.prefetch) ask(around);
    Curls<Arg> sum {*this};
    upper(sum, around);
    for (int i = 0; i < arg.count; i++) {
      const int nu = arg.dirs[i];
      Matrix<real> lower = multiple_of_unity(real(T(0)));
      for (int j = 0; j < arg.count; j++)
        if (j != i) {
          const int mu = arg.dirs[j];
          const Place below = around.neighbour(mu, -1);
          add_lower_staple(lower, arg.U, below,
                           arg.index.shifted(around.x, Displacement {}.step(mu, -1).step(nu, +1).dx), mu, nu);
        }
      finish(sum, around.here, lower, nu);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
