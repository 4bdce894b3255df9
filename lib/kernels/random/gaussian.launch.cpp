/// Normally distributed matrices of the Lie algebra, and random links made from them.
///   z_i = sqrt(-log v_i) (cos 2 pi u_i, sin 2 pi u_i) = (c_i, s_i), (u_i, v_i) draw i of the link, i = 0 .. 3
///   H = i sum_a h_a lambda_a, each h_a of variance 1/2:
///     H_01 = c_0 + i c_1, H_02 = c_3 + i s_0, H_12 = s_1 + i s_2,
///     Im H_00 = c_2 + s_3/sqrt(3), Im H_11 = -c_2 + s_3/sqrt(3), Im H_22 = -2 s_3/sqrt(3)
///   momentum : sigma H          links : f exp(sigma H)
///   start    : f times links uniform in SU(3): rows of complex normal numbers (draws 0 .. 5), made orthonormal
///   f        : 1, or, if `as_described`, the factor in links by the field's description: 1/anisotropy in space,
///              t_boundary on the time links of the last global slice. Rows of reconstruct 12 always carry it.
/// out       : (mu 4, parity 2, x_cb, ...) native, written whole, borders not.
/// Halo: none. Collective: no.
/// Flops     : a link: 100 for the numbers (4 draws), exponential 500.

#include "device/anti_hermitian.h"
#include "device/exponential.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/normal.h"
#include "device/site_arg.h"
#include "device/unitarise.h"
#include "kernels/random/gaussian_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, class Field> struct GaussianArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  GlobalSites sites;
  Field out;
  number sigma;
  unsigned long long seed;
  bool uniform; // links: uniform in SU(3)
  bool as_described;

  GaussianArg(const GaussianCall &c, const TuneParam &)
      : SiteArg(c.out.field.lattice, 2, 4)
      , sites(c.out.field.lattice)
      , out(c.out)
      , sigma(static_cast<number>(c.sigma))
      , seed(c.seed)
      , uniform(c.uniform)
      , as_described(c.as_described)
  {
  }
};

template <class R> QUDA_DEVICE AntiHermitian<R> normal_algebra(const SiteRandom<R> &random)
{
  Complex<R> z[4];
  QUDA_UNROLL
  for (int i = 0; i < 4; i++) z[i] = normal(random, i);
  const R h8 = R(0.57735026918962576) * z[3].im;
  return {{{z[0].re, z[1].re}, {z[3].re, z[0].im}, {z[1].im, z[2].im}}, {h8 + z[2].re, h8 - z[2].re, -(h8 + h8)}};
}

template <class Arg> struct GaussianMomentum : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const SiteRandom<real> random(arg.sites, x, arg.seed, first_draw(Purpose::momentum, mu, 0), 0);
    arg.out.write(arg.index.here(x), mu, scaled(real(arg.sigma), normal_algebra(random)));
  }
};

template <class Arg> struct GaussianLinks : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE Matrix<real> near_unity(const Coord &x, int mu) const
  {
    const SiteRandom<real> random(arg.sites, x, arg.seed, first_draw(Purpose::gauge, mu, 0), 0);
    return exponential(scaled(real(arg.sigma), normal_algebra(random)));
  }

  QUDA_DEVICE Matrix<real> anywhere(const Coord &x, int mu) const
  {
    const SiteRandom<real> random(arg.sites, x, arg.seed, first_draw(Purpose::start, mu, 0), 0);
    Matrix<real> m;
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) m.e[k] = normal(random, k);
    unitarise_rows(m);
    return m;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    Matrix<real> m = arg.uniform ? anywhere(x, mu) : near_unity(x, mu);
    if (arg.as_described) {
      if (mu < 3)
        m = scaled(real(1.0) / real(arg.out.anisotropy), m);
      else if (arg.out.time_sign && here.t == arg.out.O3 - 1)
        m = scaled(arg.out.boundary_sign(here), m);
    }
    arg.out.write(here, mu, m);
  }
};

template <class S, int = 0> using GaussianMomentumArg = GaussianArg<S, Momentum<S>>;
template <class S, int recon> using GaussianLinksArg = GaussianArg<S, Gauge<S, recon>>;

QUDA_INSTANCES(gaussian_momentum, GaussianCall, Launch3D<GaussianMomentum, GaussianMomentumArg>, Floating, NoVariants)
QUDA_INSTANCES(gaussian_links, GaussianCall, Launch3D<GaussianLinks, GaussianLinksArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
