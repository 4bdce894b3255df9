/// Field strength from four leaves, topological charge and energy.
///   Q_{mu nu}(x) = the four plaquettes of the plane that meet in x, all running mu -> nu,   F = (Q - Q^dag) / 8
/// Planes mu > nu: F0 = (1,0), F1 = (2,0), F2 = (2,1), F3 = (3,0), F4 = (3,1), F5 = (3,2).
/// Sums over the rank's sites, exact, no normalisation:
///   [0], [1] -Re tr[F^ F^] of the three spatial and the three temporal planes, F^ = F less a third of its trace
///   [2]      q = -1/(4 pi^2) Re[tr(F0 F5) - tr(F1 F4) + tr(F2 F3)]
/// Links     : (mu 4, parity 2, x_cb, row 3, col 3) complex, as stored.
/// density   : q, native order, one real a site, or null data.
/// Halo      : border of depth 1 or more in cut directions, current, corners included. Collective: no.
/// Flops     : 11,664 a site: eight products and two anti-Hermitian ones a plane. Bytes: all links once.

#include "device/array.h"
#include "device/instances.h"
#include "device/site_arg.h"
#include "device/thread_local_cache.h"
#include "kernels/gauge/clover_leaves.h"
#include "kernels/gauge/field_strength_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct ChargeArg : BorderArg {
  using number = number_of<S>;
  using real = Real<S>;
  Gauge<S, recon> U;
  FieldView density;
  /// mu, nu: a spatial plane, then the temporal one across it.
  unsigned char plane[6][2] = {{1, 0}, {3, 2}, {2, 0}, {3, 1}, {2, 1}, {3, 0}};
  int planes; // 6; not known to the compiler, which would unroll them all

  ChargeArg(const ChargeCall &c, const TuneParam &)
      : BorderArg(c.links.field.lattice, 2)
      , U(c.links)
      , density(c.density)
      , planes(6)
  {
  }
};

template <class Arg> struct Charge : KernelOps<ThreadLocalCache<AntiHermitian<typename Arg::real>>> {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE AntiHermitian<real> field(const Coord &x, int mu, int nu) const
  {
    return scaled(real(0.125), clover_leaves(arg.U, arg.index, x, mu, nu));
  }

  /// -Re tr(F^ F^)
  QUDA_DEVICE static real energy(const AntiHermitian<real> &f)
  {
    const real norm2 = scaled_traceless(real(1.0), f).half_norm2();
    return norm2 + norm2;
  }

  /// -Re tr(A B)
  QUDA_DEVICE static real minus_trace(const AntiHermitian<real> &a, const AntiHermitian<real> &b)
  {
    real off = real(0.0), diag = a.diag[0] * b.diag[0];
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) off = fma(a.off[n].im, b.off[n].im, fma(a.off[n].re, b.off[n].re, off));
    QUDA_UNROLL
    for (int n = 1; n < 3; n++) diag = fma(a.diag[n], b.diag[n], diag);
    return diag + (off + off);
  }

  QUDA_DEVICE array<real, 3> operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    array<real, 3> sum;
    sum[0] = sum[1] = sum[2] = real(0.0);
    ThreadLocalCache<AntiHermitian<real>> spatial {*this};
    for (int i = 0; i < arg.planes; i++) {
      const int pair = i / 2, time = i % 2;
      const AntiHermitian<real> f = field(x, arg.plane[i][0], arg.plane[i][1]);
      sum[time] = sum[time] + energy(f);
      if (time) {
        const real q = minus_trace(spatial, f);
        sum[2] = pair == 1 ? sum[2] - q : sum[2] + q;
      } else {
        spatial = f;
      }
    }
    sum[2] = real(0.025330295910584442861) * sum[2]; // 1 / (4 pi^2)
    if (arg.density.data) register_record<typename Arg::number>(arg.density, x_cb, parity, 0).put(0, sum[2], false);
    return sum;
  }
};

QUDA_INSTANCES(charge, ChargeCall, Sum2D<Charge, ChargeArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
