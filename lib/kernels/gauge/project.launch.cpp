/// Links projected onto SU(3) or U(3) (lib/device/projection.h).
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex; may be one field. Borders are not written.
/// signs     : a link U of the antiperiodic boundary whose determinant is negative becomes -1 times the projection of -U.
/// Sum       : links whose projection is not unitary to within the tolerance.
/// Halo      : none. Collective: no.
/// Flops     : not counted, as iterations depend on the links. Bytes: ProjectLinks::bytes().

#include "device/array.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/projection.h"
#include "device/site_arg.h"
#include "kernels/gauge/project_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct ProjectArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> in;
  Storage<S, recon, false> out;
  number tolerance;
  bool special, signs;

  ProjectArg(const ProjectCall &c, const TuneParam &)
      : SiteArg(c.in.field.lattice, 2)
      , in(c.in)
      , out(c.out.field)
      , tolerance(static_cast<number>(c.tolerance))
      , special(c.special)
      , signs(c.signs)
  {
  }
};

template <class Arg> struct Project : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const real zero = real(0.0), one = real(1.0);
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    array<real, 1> failures;
    failures[0] = zero;
    for (int mu = 0; mu < 4; mu++) {
      auto failed = one < zero;
      Matrix<real> u = arg.in.matrix(here, mu);
      if (arg.signs && mu == 3 && x.o[3] == arg.in.O3 - 1) {
        Matrix<real> cofactors;
        const real sign = select(conj_determinant(u, cofactors).re < zero, arg.in.boundary_sign(here), one);
        u = scaled(sign, project_su3(scaled(sign, u), real(arg.tolerance), failed, arg.special));
      } else {
        u = project_su3(u, real(arg.tolerance), failed, arg.special);
      }
      real v[Arg::recon];
      pack(v, u.e);
      arg.out.write(here, mu, v);
      failures[0] = failures[0] + select(failed, one, zero);
    }
    return failures;
  }
};

QUDA_INSTANCES(project, ProjectCall, Sum2D<Project, ProjectArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
