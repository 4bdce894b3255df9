/// Plaquette.
///   P_{mu nu}(x) = Re tr[ U_mu(x) U_nu(x + mu) U_mu(x + nu)^dag U_nu(x)^dag ]
/// Sums over the rank's sites, exact: [0] the three spatial planes, [1] the three temporal ones; no normalisation.
/// Links     : (mu 4, parity 2, x_cb, row 3, col 3) complex, as stored.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : 2,592 a site (two products and a trace a plane). Bytes: all links once.

#include "device/array.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "device/walk_order.h"
#include "kernels/gauge/plaquette_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct PlaquetteArg : BorderArg {
  using real = Real<S>;
  Gauge<S, recon> U;
  int prefetch; // registers ahead

  PlaquetteArg(const PlaquetteCall &c, const TuneParam &tp)
      : BorderArg(c.links.field.lattice, 2)
      , U(c.links)
      , prefetch(tp.prefetch)
  {
  }
};

template <class Arg> struct Plaquette : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE real plane(const Coord &x, int mu, int nu) const
  {
    const Place here = arg.index.here(x);
    const auto a = product(arg.U.matrix(here, mu), arg.U.matrix(arg.index.neighbour(x, mu, +1), nu));
    const auto b = product(arg.U.matrix(here, nu), arg.U.matrix(arg.index.neighbour(x, nu, +1), mu));
    return re_trace_adjoint(a, b);
  }

  /// Spatial and temporal planes of one site, each in the order of its larger direction, then its smaller.
  QUDA_DEVICE array<real, 2> operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    array<real, 2> sum;
    sum[0] = sum[1] = real(0.0);
    for (int mu = 1; mu < 4; mu++)
      for (int nu = 0; nu < mu; nu++) {
        prefetch_plane(arg.U, arg.index, x, mu, nu, arg.prefetch);
        const int kind = mu == 3;
        sum[kind] = sum[kind] + plane(x, mu, nu);
      }
    return sum;
  }
};

QUDA_INSTANCES(plaquette, PlaquetteCall, Sum2D<Plaquette, PlaquetteArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
