/// Sums of links and staples, from which fat links, and gradients of their functions, are made level by level
/// (ops/links/fat_links.h).
///   Out_k,mu(x) = [Out_k,mu(x) +] sum_i l_i F_i,mu(x) + s sum over some (nu, A, B, C) of S_nu[A, B, C]_mu(x)
///   S_nu[A, B, C]_mu(x) = A_nu(x) B_mu(x+nu) C_nu(x+mu)^dag + A_nu(x-nu)^dag B_mu(x-nu) C_nu(x-nu+mu)
/// F, A, B, C, Out : (mu 4, parity 2, x_cb, row 3, col 3) complex, A, B and C some of the F; Out aliases nothing, its
///              border is not written.
/// Halo       : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops      : 828 a pair of staples, 36 a weighted link or sum of staples.
/// Prefetch   : the parallel link of each upper staple, which the walk has mostly not read yet, and the
///              output: a quarter to a half faster if memory is the limit.
/// Instances  : whole links only, since these carry phases and sums are not SU(3) matrices: double, single = 2.

#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "device/staple.h"
#include "kernels/links/fat_links_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct FatLinksArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index own; // of the results
  Gauge<S, recon> from[most_staple_fields];
  Storage<S, recon, false> out[3];
  int outs;
  StapleSum sums[4][3];
  bool add;
  int prefetch; // registers ahead

  FatLinksArg(const FatLinksCall &c, const TuneParam &tp)
      : BorderArg(c.from[0].field.lattice, 2)
      , own(c.out[0].field.lattice)
      , outs(c.outs)
      , add(c.add)
      , prefetch(tp.prefetch)
  {
    for (int i = 0; i < c.fields; i++) from[i] = Gauge<S, recon>(c.from[i]);
    for (int k = 0; k < c.outs; k++) out[k] = Storage<S, recon, false>(c.out[k].field);
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < 3; k++) sums[mu][k] = c.sums[mu][k];
  }
};

template <class Arg> struct FatLinks : NoKernelOps {
  using real = typename Arg::real;
  using number = typename Arg::number;
  const Arg &arg;

  QUDA_OUTLINE void set_staples(Matrix<real> &staples, const Coord &x, int mu, const StapleSum &sum) const
  {
    staples = multiple_of_unity(real(0.0));
    for (int p = 0; p < sum.pairs; p++) {
      const StaplePair &pair = sum.pair[p];
      const Gauge<typename Arg::stored, Arg::recon> &parallel = arg.from[pair.parallel];
      if (arg.prefetch) parallel.storage.prefetch(arg.index.neighbour(x, pair.nu, +1), mu, arg.prefetch);
      add_staple_pair(staples, arg.from[pair.left], parallel, arg.from[pair.right], arg.index, x, mu, pair.nu);
    }
    staples = scaled(real(static_cast<number>(sum.staples)), staples);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x), there = arg.own.here(arg.own.same(x));
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < arg.outs; k++) {
        const StapleSum &sum = arg.sums[mu][k];
        Matrix<real> m;
        if (arg.prefetch) arg.out[k].prefetch(there, mu, arg.prefetch);
        set_staples(m, x, mu, sum);
        for (int i = 0; i < most_staple_fields; i++)
          if (sum.links[i] != 0)
            m = add_scaled(real(static_cast<number>(sum.links[i])), arg.from[i].matrix(here, mu), m);
        real v[Arg::recon];
        pack(v, m.e);
        if (arg.add) {
          const auto old = arg.out[k].read(there, mu);
          QUDA_UNROLL
          for (int i = 0; i < Arg::recon; i++) v[i] = v[i] + old[i];
        }
        arg.out[k].write(there, mu, v);
      }
  }
};

QUDA_INSTANCES(fat_links, FatLinksCall, Launch2D<FatLinks, FatLinksArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
