/// Clover term from the four-leaf field strength (Sheikholeslami and Wohlert, Nucl. Phys. B 259 (1985) 572).
///   A = 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu},   F = (Q - Q^dag) / 8, its trace not removed
/// Planes F0 = (1,0), F1 = (2,0), F2 = (2,1), F3 = (3,0), F4 = (3,1), F5 = (3,2). Chiral blocks, the upper signs for
/// the first, the block of spins 0 and 1:
///   ((1 - B1, B2^dag), (B2, 1 + B1)),   B1 = i c (F0 -+ F5),   B2 = c (F1 +- F4) - i c (F2 -+ F3)
/// Links     : (mu 4, parity 2, x_cb, row 3, col 3) complex, as stored, with boundary sign and anisotropy.
/// out       : (parity 2, x_cb, block 2, 36), device/clover.h.
/// Halo      : border of depth 1 or more in cut directions, current, corners included. Collective: no.
/// Flops     : 11,088 a site. Bytes: all links once, the term once.

#include "device/clover.h"
#include "device/instances.h"
#include "device/site_arg.h"
#include "device/thread_local_cache.h"
#include "kernels/clover/term_call.h"
#include "kernels/gauge/clover_leaves.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct CloverTermArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  Gauge<S, recon> U;
  FieldView out;
  number coefficient; // c / 8
  /// mu, nu: the planes in one element, one after the other.
  unsigned char plane[6][2] = {{1, 0}, {3, 2}, {2, 0}, {3, 1}, {2, 1}, {3, 0}};
  int planes; // 6; not known to the compiler, which would unroll them all

  CloverTermArg(const CloverTermCall &c, const TuneParam &)
      : BorderArg(c.links.field.lattice, 2)
      , U(c.links)
      , out(c.out)
      , coefficient(static_cast<number>(0.125 * c.coefficient))
      , planes(6)
  {
  }
};

template <class Arg> struct CloverTerm : KernelOps<ThreadLocalCache<AntiHermitian<typename Arg::real>>> {
  using real = typename Arg::real;
  using Record = RegisterRecord<typename Arg::stored>;
  const Arg &arg;

  QUDA_DEVICE static void put(const Record &out, int k, Complex<real> a)
  {
    out.put(k, a.re, false);
    out.put(k + 1, a.im, false);
  }

  /// 1 -+ B1 from G = c (F0 -+ F5): the diagonal of i G is -Im G, its element (i, j) is i times -conj(G_ji).
  QUDA_DEVICE static void put_diagonal(const Record &out, const AntiHermitian<real> &g)
  {
    const real one = real(1.0);
    QUDA_UNROLL
    for (int c = 0; c < 3; c++) {
      out.put(c, one + g.diag[c], false);
      out.put(3 + c, one - g.diag[c], false);
    }
    constexpr int row[3] = {1, 2, 2}, column[3] = {0, 0, 1};
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      const Complex<real> a = {g.off[n].im, g.off[n].re};
      put(out, below_diagonal(row[n], column[n]), a);
      put(out, below_diagonal(3 + row[n], 3 + column[n]), {-a.re, -a.im});
    }
  }

  /// B2, row by row: first P = c (F1 +- F4), then -i G is added, G = c (F2 -+ F3).
  QUDA_DEVICE static void put_below(const Record &out, const AntiHermitian<real> &p)
  {
    const Matrix<real> b = p.matrix();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) put(out, below_diagonal(3 + i, j), b(i, j));
  }
  QUDA_DEVICE static void add_below(const Record &out, const AntiHermitian<real> &g)
  {
    const Matrix<real> b = g.matrix();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const int k = below_diagonal(3 + i, j);
        put(out, k, {out.get(k) + b(i, j).im, out.get(k + 1) - b(i, j).re});
      }
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const real zero = real(0.0);
    const Complex<real> none = {zero, zero};
    ThreadLocalCache<AntiHermitian<real>> first {*this};
    first = {{none, none, none}, {zero, zero, zero}};
    for (int i = 0; i < arg.planes; i++) {
      const AntiHermitian<real> f =
          scaled(real(arg.coefficient), clover_leaves(arg.U, arg.index, x, arg.plane[i][0], arg.plane[i][1]));
      if (i % 2 == 0) {
        first = f;
        continue;
      }
      for (int block = 0; block < 2; block++) {
        const auto out = register_record<typename Arg::stored>(arg.out, x_cb, parity, block);
        const bool added = (i == 3) == (block == 0);
        const AntiHermitian<real> both = add_scaled(real(added ? 1.0 : -1.0), f, first);
        if (i == 1)
          put_diagonal(out, both);
        else if (i == 3)
          put_below(out, both);
        else
          add_below(out, both);
      }
    }
  }
};

QUDA_INSTANCES(clover_term, CloverTermCall, Launch2D<CloverTerm, CloverTermArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
