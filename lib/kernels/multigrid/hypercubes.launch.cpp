/// Staggered quarks as rows of their hypercubes of 2^4 sites, and back: row 24 e + 3 s + c of hypercube a is colour c of
/// the site 2 a + b, e = b_0 + b_1 + b_2 + b_3 mod 2, s = b_1 + 2 b_2 + 4 b_3.
/// fine: (parity, x_cb, right-hand side, color 3) complex. rows: fields/lattice.h, Lattice::rows.
/// Variant 1: to rows. 0: to sites.
/// Index  : x, y: sites, parities; z: right-hand sides. Lanes are handled one by one at rows. Halo: none.
///          Collective: no. Flops: none. Bytes: each number once.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/multigrid/coarse_numbers.h"
#include "kernels/multigrid/hypercubes_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int to_rows_> struct HypercubesArg : SiteArg {
  static constexpr bool to_rows = to_rows_ != 0;
  using stored = S;
  Storage<S, 6> fine;
  CoarseNumbers<S> rows;
  int lo[4], hi[4];
  int parity;
  bool add;

  HypercubesArg(const HypercubesCall &c, const TuneParam &)
      : SiteArg(c.fine.lattice, to_rows || c.parity < 0 ? 2 : 1, static_cast<unsigned>(c.fine.rhs))
      , fine(c.fine)
      , rows(c.rows, c.coarse_parity)
      , parity(c.parity)
      , add(c.add)
  {
    for (int d = 0; d < 4; d++) {
      lo[d] = c.lo[d];
      hi[d] = c.hi[d];
    }
  }
};

template <class Arg> struct Hypercubes : NoKernelOps {
  using S = typename Arg::stored;
  using number = number_of<S>;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned y, unsigned z) const
  {
    const int parity = Arg::to_rows || arg.parity < 0 ? static_cast<int>(y) : arg.parity, j = static_cast<int>(z);
    const Coord x = arg.index.coord(x_cb, parity);
    const LatticeView &lattice = arg.index.lattice;
    Place here = arg.index.here(x);
    for (int lane = 0; lane < arg.active; lane++) {
      int a[4], b[4];
      bool in = arg.parity < 0 || arg.parity == parity;
      for (int d = 0; d < 4; d++) {
        const int at = coordinate(lattice, d, x.o[d], x.part * width<S> + lane);
        a[d] = at / 2;
        b[d] = at % 2;
        in = in && b[d] >= arg.lo[d] && b[d] < arg.hi[d];
      }
      number *const site = arg.rows.site(a);
      const int row = 24 * parity + 3 * (b[1] + 2 * b[2] + 4 * b[3]);
      for (int k = 0; k < 6; k++) {
        const long long at = arg.rows.offset(row + k / 2, j) + k % 2 * arg.rows.to_imaginary;
        if constexpr (Arg::to_rows) {
          const number v = in ? arg.fine.scalar(here, j, k, lane) : number(0);
          if (site) site[at] = arg.add ? site[at] + v : v;
        } else {
          const number v = site ? site[at] : number(0);
          auto &to = arg.fine.scalar(here, j, k, lane);
          to = arg.add ? to + v : v;
        }
      }
    }
  }
};

QUDA_INSTANCES(hypercubes, HypercubesCall, Launch3D<Hypercubes, HypercubesArg>, Floating, Variants<0, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
