#pragma once
/// Stout smearing, one step (Morningstar and Peardon, hep-lat/0311018, eq. 1-4).
///   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),   C_nu = sum of the staples, nu and mu in the smeared
///   directions; TA(M) = (M - M^dag)/2, made traceless. Links of other directions are not written.
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex, lattice units; must not alias. Borders are not written.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : 11,088 a site in four dimensions, 5,940 in three: staples 9,504 (4,752), two products with the link
///             1,584 (1,188). Not counted: exponentials, some 600 a link. Bytes: StoutStep::bytes().
/// Instances : double, single x recon 18, 12 = 4.

#include "core/tune_param.h"
#include "device/exponential.h"
#include "kernels/smear/staple.h"

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
    threads[2] = count;
  }
};

/// out_nu(x) = exp(TA[sum U_nu(x)^dag]) U_nu(x), the sum scaled before.
template <class Arg, class R>
QUDA_OUTLINE void rotate_link(const Arg &arg, const Coord &x, int nu, R scale, const Matrix<R> &sum)
{
  using T = typename Arg::number;
  constexpr int recon = Arg::recon;
  const Place here = arg.index.here(x);
  const LinkOperand<T, recon> u(arg.U, here, nu);
  const auto link = u.read();
  const Matrix<R> e = exponential<T>(scaled_anti_hermitian(scale, sum, link));
  R v[recon];
  QUDA_UNROLL
  for (int i = 0; i < recon / 6; i++) {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      Complex<R> c = multiply(e(i, 0), link(0, j));
      QUDA_UNROLL
      for (int k = 1; k < 3; k++) c = multiply_add(e(i, k), link(k, j), c);
      v[6 * i + 2 * j] = c.re;
      v[6 * i + 2 * j + 1] = c.im;
    }
  }
  arg.out.write(here, nu, v, arg.streaming);
}

/// Asks for what no site before has read: links a step ahead in the slowest smeared direction.
template <class Arg> QUDA_DEVICE void ask_ahead(const Arg &arg, const Coord &x, int nu)
{
  if (arg.prefetch) arg.U.storage.prefetch(arg.index.neighbour(x, arg.dirs[arg.count - 1], +1), nu, arg.prefetch);
}

template <class Arg> struct Stout : NoKernelOps {
  using T = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int i) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const int nu = arg.dirs[i];
    ask_ahead(arg, x, nu);
    Matrix<real> sum = multiple_of_unity(real(T(0)));
    for (int k = 0; k < arg.count; k++) {
      const int mu = arg.dirs[k];
      if (mu == nu) continue;
      add_upper_staple(sum, arg.U, arg.index, x, {}, mu, nu);
      add_lower_staple(sum, arg.U, arg.index, x, {}, mu, nu);
    }
    rotate_link(arg, x, nu, real(arg.staples), sum);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
