#pragma once
/// Wilson hop.
///   (D psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dag psi(x - mu) ],
/// its adjoint with the signs of gamma_mu exchanged; out = a x + b D in, or b D in.
/// in, out, x : (parity, x_cb, inner, spin 4, color 3) complex, DeGrand-Rossi basis; out on one parity is made from in
///              on the other. out aliases neither in; x may be out.
/// Links      : as stored, on all sites of the rank; their backward copies beyond a cut face are not needed, since what
///              crosses it is the product. The backward leg multiplies in the neighbour's lanes and moves the result.
/// Halo       : of in, projected half spinors in cut directions, current. Collective: no.
/// Flops      : 1,320 a site, 48 more with x. Bytes: WilsonHop::bytes().
/// Instances  : double, single x recon 18, 12 = 4.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include "kernels/dirac/wilson_leg.h"
#include "kernels/halo/slots.h"
#include <around.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct WilsonArg {
  using number = T;
  using real = Real<T>;
  unsigned threads[3];
  Index index;
  Gauge<T, recon> U;
  Storage<T, 24> in, out, x;
  HaloSlots<T, 12> halo;
  T a, b;
  bool dagger, add_x;
  int parity;
  const unsigned *sites;
  unsigned count;
  int inner;
  int prefetch;   // registers ahead
  bool streaming; // stores past the cache

  /// Call: the plain struct of views and numbers that the launch unit is given.
  template <class Call> WilsonArg(const Call &c, const TuneParam &tp)
      : threads {c.count, static_cast<unsigned>(c.parities), 1}
      , index(c.in.field.lattice)
      , U(c.links)
      , in(c.in.field)
      , out(c.out.field)
      , x(c.x.field.data ? c.x.field : c.out.field)
      , halo(c.in.halo)
      , a(static_cast<T>(c.a))
      , b(static_cast<T>(c.b))
      , dagger(c.dagger)
      , add_x(c.x.field.data != nullptr)
      , parity(c.parity)
      , sites(c.sites)
      , count(c.count)
      , inner(c.in.field.inner)
      , prefetch(tp.prefetch)
      , streaming(tp.streaming)
  {
  }
};

template <class Arg> struct Wilson : NoKernelOps {
  using real = typename Arg::real;
  using T = typename Arg::number;
  const Arg &arg;

  /// Asks for what is read soon: links of a direction follow one another in memory; spinors a plane or a slice away
  /// come from memory or the last cache, those nearer by are still in the second.
  template <int mu> QUDA_DEVICE void ask(const Place &links, const Place &n, int i) const
  {
    if (i == 0) arg.U.storage.prefetch(links, mu, arg.prefetch);
    if (mu >= 2) arg.in.prefetch(n, i, 2);
  }

  template <int mu, int sign>
  QUDA_DEVICE void backward(HalfSpinor<real> &r, const Around &at, int i) const
  {
    const Place n = at.neighbour(mu, -1);
    if (__builtin_expect(n.beyond, 0)) {
      const auto q = arg.halo.read(n, mu, -1, i);
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) r.h[k / 3][k % 3] = {q[2 * k], q[2 * k + 1]};
    } else {
      if (arg.prefetch) ask<mu>(n, n, i);
      backward_leg<mu, sign>(r, arg.in.read(n, i), arg.U.link(n, mu));
      if (__builtin_expect(n.shift != nullptr, 0)) move_lanes(r, n);
    }
  }

  /// The forward leg of an edge: from beyond the face, or with lanes to move.
  template <int mu, int sign>
  QUDA_OUTLINE void forward_edge(HalfSpinor<real> &r, const Around &at, int i) const
  {
    const Place n = at.neighbour(mu, +1);
    const auto u = arg.U.link(at.here, mu);
    if (n.beyond) {
      const auto q = arg.halo.read(n, mu, +1, i);
      forward_leg(
          r,
          [&](Complex<real>(&h)[2], int j) QUDA_LAMBDA {
            QUDA_UNROLL
            for (int s = 0; s < 2; s++) h[s] = {q[2 * (3 * s + j)], q[2 * (3 * s + j) + 1]};
          },
          u);
    } else {
      const auto q = arg.in.read(n, i);
      forward_leg(
          r,
          [&](Complex<real>(&h)[2], int j) QUDA_LAMBDA {
            project_color<mu, sign>(h, q, j);
            QUDA_UNROLL
            for (int s = 0; s < 2; s++) h[s] = {moved(h[s].re, n), moved(h[s].im, n)};
          },
          u);
    }
  }

  template <int mu, int sign>
  QUDA_DEVICE void forward(HalfSpinor<real> &r, const Around &at, int i) const
  {
    const Place n = at.neighbour(mu, +1);
    if (arg.prefetch) ask<mu>(at.here, n, i);
    if (__builtin_expect(n.beyond || n.shift != nullptr, 0)) {
      HalfSpinor<real> edge; // r itself stays in registers
      forward_edge<mu, sign>(edge, at, i);
      r = edge;
    } else {
      const auto q = arg.in.read(n, i);
      forward_leg(
          r, [&](Complex<real>(&h)[2], int j) QUDA_LAMBDA { project_color<mu, sign>(h, q, j); },
          arg.U.link(at.here, mu));
    }
  }

  /// Both legs of a direction, combined before the accumulators are touched. side = -1: the adjoint.
  template <int mu, int side>
  QUDA_DEVICE void direction(Complex<real> (&sum)[4][3], const Around &at, int i) const
  {
    HalfSpinor<real> b, f;
    backward<mu, side>(b, at, i);
    forward<mu, -side>(f, at, i);
    QUDA_UNROLL
    for (int c = 0; c < 3; c++) {
      QUDA_UNROLL
      for (int s = 0; s < 2; s++) {
        const Complex<real> both = f.h[s][c] + b.h[s][c];
        sum[s][c] = mu == 0 ? both : sum[s][c] + both;
      }
      Complex<real> lower[2] = {sum[2][c], sum[3][c]};
      add_lower<mu, side>(lower, b.h[0][c] - f.h[0][c], b.h[1][c] - f.h[1][c]);
      sum[2][c] = lower[0];
      sum[3][c] = lower[1];
    }
  }

  template <int side> QUDA_OUTLINE void hop(const Around &at, int i) const
  {
    Complex<real> sum[4][3];
    QUDA_UNROLL
    for (int c = 0; c < 3; c++) sum[2][c] = sum[3][c] = {real(T(0)), real(T(0))};
    direction<0, side>(sum, at, i);
    direction<1, side>(sum, at, i);
    direction<2, side>(sum, at, i);
    direction<3, side>(sum, at, i);
    store(sum, at.here, i);
  }

  QUDA_DEVICE void store(const Complex<real> (&sum)[4][3], const Place &here, int i) const
  {
    const real b = arg.b;
    real v[24];
    if (arg.add_x) {
      const auto q = arg.x.read(here, i);
      const real a = arg.a;
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) {
        v[2 * k] = fma(b, sum[k / 3][k % 3].re, a * q[2 * k]);
        v[2 * k + 1] = fma(b, sum[k / 3][k % 3].im, a * q[2 * k + 1]);
      }
    } else {
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) {
        v[2 * k] = b * sum[k / 3][k % 3].re;
        v[2 * k + 1] = b * sum[k / 3][k % 3].im;
      }
    }
    arg.out.write(here, i, v, arg.streaming);
  }

  struct Site {
    Around around;
  };

  QUDA_DEVICE void locate(Site &site, unsigned n, int p) const
  {
    const unsigned x_cb = arg.sites ? arg.sites[p * arg.count + n] : n;
    site.around.locate(arg.index, arg.index.coord(x_cb, arg.parity + p));
  }

  QUDA_DEVICE void operator()(const Site &site) const
  {
    for (int i = 0; i < arg.inner; i++) {
      if (arg.dagger)
        hop<-1>(site.around, i);
      else
        hop<+1>(site.around, i);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
