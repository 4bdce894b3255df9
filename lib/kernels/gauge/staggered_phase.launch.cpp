/// Links times their staggered phases.
///   out_mu(x) = (-1)^(plus_mu + sum over d in odd_mu of x_d) U_mu(x), time links also times the sign of an
///   antiperiodic boundary on the last global time slice, and times `turn`
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex; not one field. Borders are not written.
/// Halo      : none. Collective: no. Extents of a rank are even, of its blocks not all.
/// Flops     : 72 a site. Bytes: all links twice.
/// Instances : double, single x recon 18 = 2.

#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/gauge/staggered_phase_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct StaggeredPhaseArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> in;
  Storage<S, recon, false> out;
  int plus[4], odd[4];
  unsigned odd_lanes[4]; // where the sum is odd at block coordinates 0, a bit each, counted over all parts
  number turn[2];
  bool turns;

  StaggeredPhaseArg(const StaggeredPhaseCall &c, const TuneParam &)
      : SiteArg(c.in.field.lattice, 2)
      , in(c.in)
      , out(c.out.field)
      , turn {static_cast<number>(c.turn[0]), static_cast<number>(c.turn[1])}
      , turns(c.turn[0] != 1 || c.turn[1] != 0)
  {
    for (int mu = 0; mu < 4; mu++) {
      plus[mu] = c.plus[mu];
      odd[mu] = c.odd[mu];
      odd_lanes[mu] = 0;
      for (int l = 0; l < index.lattice.lanes; l++) {
        int sum = 0;
        for (int d = 0; d < 4; d++) sum += (odd[mu] >> d & 1) * coordinate(index.lattice, d, 0, l);
        odd_lanes[mu] |= static_cast<unsigned>(sum & 1) << l;
      }
    }
  }

  /// -1 in those lanes.
  QUDA_DEVICE real lane_sign(int mu, int part) const
  {
    alignas(64) number sign[width<S>];
    for (int l = 0; l < width<S>; l++) sign[l] = number(odd_lanes[mu] >> (part * width<S> + l) & 1 ? -1 : 1);
    return load_array(sign);
  }
};

template <class Arg> struct StaggeredPhase : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    for (int mu = 0; mu < 4; mu++) {
      int n = arg.plus[mu];
      for (int d = 0; d < 4; d++) n += (arg.odd[mu] >> d & 1) * x.o[d];
      real sign = n & 1 ? real(-1.0) : real(1.0);
      if (arg.odd_lanes[mu]) sign = sign * arg.lane_sign(mu, x.part);
      const bool time = mu == 3;
      if (time && arg.in.time_sign && x.o[3] == arg.in.O3 - 1) sign = sign * arg.in.boundary_sign(here);
      Matrix<real> u = arg.in.matrix(here, mu);
      QUDA_UNROLL
      for (int k = 0; k < 9; k++) u.e[k] = scaled(sign, u.e[k]);
      if (time && arg.turns) {
        const Complex<real> turn {real(arg.turn[0]), real(arg.turn[1])};
        QUDA_UNROLL
        for (int k = 0; k < 9; k++) u.e[k] = multiply(turn, u.e[k]);
      }
      real v[Arg::recon];
      pack(v, u.e);
      arg.out.write(here, mu, v);
    }
  }
};

QUDA_INSTANCES(staggered_phase, StaggeredPhaseCall, Launch2D<StaggeredPhase, StaggeredPhaseArg>, Floating,
               Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
