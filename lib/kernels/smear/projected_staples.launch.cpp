/// Smearing by projection: a step of APE, or a level of HYP smearing.
///   U'_mu(x) = P[ u 1 + w C_mu(x) U_mu(x)^dag ] U_mu(x), P the projection onto SU(3) (device/projection.h),
///   C_mu(x) = sum over some nu of A_nu(x) B_mu(x+nu) A_nu(x+mu)^dag + A_nu(x-nu)^dag B_mu(x-nu) A_nu(x-nu+mu)
/// links, from, out : (mu 4, parity 2, x_cb, row 3, col 3) complex; out aliases nothing, its border is not written.
///             A and B are fields of `from`; each nu of a mu has its own.
/// Sum       : links whose projection is not unitary to within the tolerance.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : 828 a pair of staples and 416 a link; projections are not counted, as iterations depend on the
///             links.
/// Instances : whole links only, as smeared links are kept.

#include "device/array.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/projection.h"
#include "device/site_arg.h"
#include "device/staple.h"
#include "kernels/smear/projected_staples_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct ProjectedStaplesArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> U;
  Gauge<S, recon> from[3];
  Storage<S, recon, false> out;
  StaplePair pairs[4][3];
  int count[4];
  number unity, staples, along_t, tolerance;

  ProjectedStaplesArg(const ProjectedStaplesCall &c, const TuneParam &)
      : BorderArg(c.links.field.lattice, 2)
      , U(c.links)
      , out(c.out.field)
      , unity(static_cast<number>(c.unity))
      , staples(static_cast<number>(c.staples))
      , along_t(static_cast<number>(c.along_t))
      , tolerance(static_cast<number>(c.tolerance))
  {
    for (int k = 0; k < 3; k++)
      if (c.from[k].field.data) from[k] = Gauge<S, recon>(c.from[k]);
    for (int mu = 0; mu < 4; mu++) {
      count[mu] = c.count[mu];
      for (int k = 0; k < 3; k++) pairs[mu][k] = c.pairs[mu][k];
    }
  }
};

template <class Arg> struct ProjectedStaples : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// w C_mu(x), the pair along t, if there is one, with its own factor.
  QUDA_OUTLINE void sum_staples(Matrix<real> &sum, const Coord &x, int mu) const
  {
    sum = multiple_of_unity(real(0.0));
    for (int k = 0; k < arg.count[mu]; k++) {
      const auto [nu, parallel, sides] = arg.pairs[mu][k];
      Matrix<real> pair = multiple_of_unity(real(0.0));
      add_staple_pair(pair, arg.from[sides], arg.from[parallel], arg.index, x, mu, nu);
      sum = add_scaled(real(nu == 3 ? arg.staples * arg.along_t : arg.staples), pair, sum);
    }
  }

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const real zero = real(0.0), one = real(1.0), unity = real(arg.unity);
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    array<real, 1> failures;
    failures[0] = zero;
    for (int mu = 0; mu < 4; mu++) {
      if (arg.count[mu] == 0) continue;
      Matrix<real> m, v;
      sum_staples(m, x, mu);
      const LinkOperand<typename Arg::stored, Arg::recon> u(arg.U, here, mu);
      set_product(m, m, adjoint_of(u.read()));
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) m(i, i).re = m(i, i).re + unity;
      auto failed = one < zero;
      m = project_su3(m, real(arg.tolerance), failed);
      set_product(v, m, u.read());
      real reals[Arg::recon];
      pack(reals, v.e);
      arg.out.write(here, mu, reals);
      failures[0] = failures[0] + select(failed, one, zero);
    }
    return failures;
  }
};

QUDA_INSTANCES(projected_staples, ProjectedStaplesCall, Sum2D<ProjectedStaples, ProjectedStaplesArg>, Floating,
               Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
