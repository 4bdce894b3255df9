#pragma once
/// Base of stout smearing and of the gradient flow: their argument, and the update of a link.
///   smearing           : out_nu(x) = exp(A) U_nu(x), A the traceless anti-Hermitian part of the sum of paths
///   stage of the flow  : Z_nu(x) = A + old Z_nu(x),   out_nu(x) = exp(step Z_nu(x)) U_nu(x)

#include "device/exponential.h"
#include "device/curl.h"
#include "kernels/smear/stout_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct StoutArg : CurlArg<S, recon> {
  using number = number_of<S>;
  Storage<S, recon, false> out;
  number staples; // rho
  Index own;      // of the generators
  Momentum<S> generator;
  number old, step;
  bool flows;
  int streaming;

  StoutArg(const StoutCall &c, const TuneParam &tp)
      : CurlArg<S, recon>(c.in, tp)
      , out(c.out.field)
      , staples(static_cast<number>(c.staples))
      , own(c.generator.field.data ? c.generator.field.lattice : c.in.field.lattice)
      , old(static_cast<number>(c.old))
      , step(static_cast<number>(c.step))
      , flows(c.generator.field.data != nullptr)
      , streaming(tp.streaming)
  {
    this->count = c.count;
    for (int d = 0; d < 4; d++) {
      this->dirs[d] = c.dirs[d];
      for (int e = 0; e < 4; e++) this->weight[d][e] = e == 3 ? static_cast<number>(c.time_sides) : 1;
    }
    if (flows) generator = Momentum<S>(c.generator);
  }
};

/// out_nu(x) = exp(X) U_nu(x)
template <class Arg, class Link, class R>
QUDA_DEVICE void rotate_link(const Arg &arg, const Place &here, int nu, const AntiHermitian<R> &x, const Link &u)
{
  constexpr int recon = Arg::recon;
  if (arg.prefetch && !arg.streaming) arg.out.prefetch(here, nu, arg.prefetch);
  const Matrix<R> e = exponential(x);
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

/// The update of link nu, a being A.
template <class Arg, class Link, class R>
QUDA_DEVICE void move_link(const Arg &arg, const Coord &x, int nu, const AntiHermitian<R> &a, const Link &u)
{
  const Place here = arg.index.here(x);
  if (!arg.flows) return rotate_link(arg, here, nu, a, u);
  const Place own = arg.own.here(arg.own.same(x));
  const AntiHermitian<R> z = arg.old != 0 ? add_scaled(R(arg.old), arg.generator.read(own, nu), a) : a;
  arg.generator.write(own, nu, z);
  rotate_link(arg, here, nu, scaled(R(arg.step), z), u);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
