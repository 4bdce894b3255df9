/// Whole links from compressed ones, and compressed ones from whole.
///   rebuild      from : reconstruct 12, 8, 13 or 9; to: 18 reals
///   compress     from : 18 reals; to: reconstruct 8.
///   compress_fit from : 18 reals; to: reconstruct 12, whose third row must be the rebuilt one; or 13 or 9, links
///                over `unit` with rows a, b orthonormal and f conj(a x b), |f| = 1. Sums: [0] links for which this
///                does not hold within `tolerance`.
///   link_norm    : Sums: [0] |U|^2
/// from, to  : (mu 4, parity 2, x_cb, ...), of one lattice, precision and border.
/// Halo      : none; borders are not written. Collective: no. Flops: 42 a link of two rows, about 200 of eight numbers.
/// Instances : double, single x 12, 8, 13, 9 for rebuild, x 8, 12, 13, 9 for compression, x 1 = 18.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/long_links.h"
#include "device/site_arg.h"
#include "kernels/copy/rebuild_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> QUDA_DEVICE Matrix<R> times(R factor, Matrix<R> u)
{
  QUDA_UNROLL
  for (int k = 0; k < 9; k++) u.e[k] = scaled(factor, u.e[k]);
  return u;
}

template <class S, int stored, int made> struct RebuildArg : SiteArg {
  using real = Real<S>;
  static constexpr int reals = made;
  static constexpr bool of_long = stored == 13 || stored == 9;
  Gauge<S, stored> from;
  Storage<S, made, false> to;
  number_of<S> unit;

  RebuildArg(const RebuildCall &c, const TuneParam &)
      : SiteArg(c.to.lattice, 2, 4)
      , from(c.from)
      , to(c.to)
      , unit(static_cast<number_of<S>>(c.unit))
  {
  }
};
template <class S, int recon> using WholeArg = RebuildArg<S, recon, 18>;
template <class S, int recon> using CompressedArg = RebuildArg<S, 18, recon>;

template <class Arg> struct Rebuild : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    auto u = arg.from.matrix(here, mu);
    if constexpr (Arg::of_long) u = times(real(arg.unit), u);
    real v[Arg::reals];
    if constexpr (Arg::reals == 8)
      pack_8(v, u);
    else
      pack(v, u.e);
    arg.to.write(here, mu, v);
  }
};

template <class S, int recon> struct FittedArg : SiteArg {
  using real = Real<S>;
  static constexpr bool of_long = recon != 12;
  Gauge<S, 18> from;
  Gauge<S, recon> to;
  number_of<S> by_unit, tolerance;

  FittedArg(const RebuildCall &c, const TuneParam &)
      : SiteArg(c.to.lattice, 2)
      , from(c.from)
      , to({c.to, recon, c.from.anisotropy, c.from.t_boundary})
      , by_unit(static_cast<number_of<S>>(1 / c.unit))
      , tolerance(static_cast<number_of<S>>(c.tolerance))
  {
  }
};

template <class Arg> struct CompressFit : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    array<real, 1> misfits;
    misfits[0] = real(0.0);
    for (int mu = 0; mu < 4; mu++) {
      const auto u = times(real(arg.by_unit), arg.from.matrix(here, mu));
      arg.to.write(here, mu, u);
      const auto fits = misfit(u, here, mu) <= real(arg.tolerance);
      misfits[0] = select(fits, misfits[0], misfits[0] + real(1.0));
    }
    return misfits;
  }

  /// Sum of the magnitudes of expressions that should vanish; NaN if a number of the link is NaN.
  QUDA_DEVICE real misfit(const Matrix<real> &u, const Place &here, int mu) const
  {
    real sum = real(0.0);
    const auto add = [&](real x) QUDA_LAMBDA { sum = sum + select(x < real(0.0), -x, x); };
    if constexpr (!Arg::of_long) {
      const Matrix<real> v = arg.to.matrix(here, mu);
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) {
        const Complex<real> rest = u(2, j) - v(2, j);
        add(rest.re);
        add(rest.im);
      }
    } else {
      const Complex<real> f = third_row_factor(u);
      QUDA_UNROLL
      for (int i = 0; i < 2; i++) {
        real length2 = real(-1.0);
        QUDA_UNROLL
        for (int j = 0; j < 3; j++) length2 = fma(u(i, j).im, u(i, j).im, fma(u(i, j).re, u(i, j).re, length2));
        add(length2);
      }
      Complex<real> dot = {real(0.0), real(0.0)};
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        dot = conj_multiply_add(u(0, j), u(1, j), dot);
        const Complex<real> rest = multiply_subtract(f, conj_cross(u(0, k), u(1, l), u(0, l), u(1, k)), u(2, j));
        add(rest.re);
        add(rest.im);
      }
      add(dot.re);
      add(dot.im);
    }
    return sum;
  }
};

template <class S, int recon> struct LinkNormArg : SiteArg {
  using real = Real<S>;
  Gauge<S, recon> U;

  LinkNormArg(const LinkNormCall &c, const TuneParam &)
      : SiteArg(c.links.field.lattice, 2)
      , U(c.links)
  {
  }
};

template <class Arg> struct LinkNorm : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const Place here = arg.index.here(arg.index.coord(x_cb, parity));
    array<real, 1> sum;
    sum[0] = real(0.0);
    for (int mu = 0; mu < 4; mu++) {
      const auto u = arg.U.link(here, mu);
      QUDA_UNROLL
      for (int k = 0; k < 9; k++) {
        const Complex<real> z = u(k / 3, k % 3);
        sum[0] = fma(z.im, z.im, fma(z.re, z.re, sum[0]));
      }
    }
    return sum;
  }
};

QUDA_INSTANCES(rebuild, RebuildCall, Launch3D<Rebuild, WholeArg>, EveryPrecision<double, float>, Variants<12, 8, 13, 9>)
QUDA_INSTANCES(compress, RebuildCall, Launch3D<Rebuild, CompressedArg>, EveryPrecision<double, float>, Variants<8>)
QUDA_INSTANCES(compress_fit, RebuildCall, Sum2D<CompressFit, FittedArg>, EveryPrecision<double, float>,
               Variants<12, 13, 9>)
QUDA_INSTANCES(link_norm, LinkNormCall, Sum2D<LinkNorm, LinkNormArg>, EveryPrecision<double, float>, Variants<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
