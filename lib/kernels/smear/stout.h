#pragma once
/// Stout smearing, one step (Morningstar and Peardon, hep-lat/0311018, eq. 1-4).
///   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),   C_nu = sum of the staples, nu and mu in the smeared
///   directions; TA(M) = (M - M^dag)/2, made traceless. Links of other directions are not written.
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex, lattice units; must not alias. Borders are not written.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : curl.h, and 198 a link for the product with its exponential: 9,720 a site in four dimensions, 5,238 in
///             three; as all count who multiply whole matrices 11,088 and 5,940: StoutStep::flops().
///             Not counted: exponentials (device/exponential.h). Bytes: StoutStep::bytes().
/// Instances : double, single x recon 18, 12 = 4.

#include "device/exponential.h"
#include "kernels/gauge/curl.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct StoutArg : CurlArg<T, recon> {
  Storage<T, recon> out;
  T staples; // rho
  int streaming;

  template <class Call> StoutArg(const Call &c, const TuneParam &tp)
      : CurlArg<T, recon>(c.in, tp)
      , out(c.out.field)
      , staples(static_cast<T>(c.staples))
      , streaming(tp.streaming)
  {
    this->count = c.count;
    for (int d = 0; d < 4; d++) {
      this->dirs[d] = c.dirs[d];
      for (int e = 0; e < 4; e++) this->weight[d][e] = 1;
    }
  }
};

/// out_nu(x) = exp(X) U_nu(x)
template <class Arg, class Link, class R>
QUDA_DEVICE void rotate_link(const Arg &arg, const Place &here, int nu, const AntiHermitian<R> &x, const Link &u)
{
  using T = typename Arg::number;
  constexpr int recon = Arg::recon;
  if (arg.prefetch && !arg.streaming) arg.out.prefetch(here, nu, arg.prefetch);
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

template <class Arg> struct Stout : KernelOps<Curls<Arg>> {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void finish(const CurlSum<Arg> &curls, const Matrix<real> &lower, int nu) const
  {
    const Place &here = curls.around.here;
    const LinkOperand<T, Arg::recon> u(arg.U, here, nu);
    const auto x = scaled_traceless(real(T(0.5) * arg.staples), curls.whole(lower, u.read(), nu));
    rotate_link(arg, here, nu, x, u.read());
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const { sum_curls(*this, arg, x_cb, parity); }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
