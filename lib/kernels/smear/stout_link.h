#pragma once
/// What the kinds of stout smearing share: their argument, and the link that is written.

#include "device/exponential.h"
#include "device/curl.h"
#include "kernels/smear/stout_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct StoutArg : CurlArg<S, recon> {
  using number = number_of<S>;
  Storage<S, recon, false> out;
  number staples; // rho
  int streaming;

  StoutArg(const StoutCall &c, const TuneParam &tp)
      : CurlArg<S, recon>(c.in, tp)
      , out(c.out.field)
      , staples(static_cast<number>(c.staples))
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

} // namespace quda::QUDA_TARGET_NAMESPACE
