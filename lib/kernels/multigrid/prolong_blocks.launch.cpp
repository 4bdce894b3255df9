/// Prolongation from the coarse grid of aggregates: at site x of aggregate a, for spin s of chirality X and colour c
///   out_j(x)_{s c} = sum_i V_i(x)_{s c} in_j(a; X n_vec + i)
/// V, out: (parity, x_cb, i or j, spin 4, color 3) complex. in: rows (fields/lattice.h, Lattice::rows).
/// Sums  : one fused chain over i; if V is in fixed point, of its integers with the coarse number times their scale.
/// Tiles : the six numbers of a chirality x right-hand sides in registers. On lanes the coarse numbers of an aggregate
///         are gathered from its lanes' sites once, for as many right-hand sides at a time as a cache holds.
/// Index : on lanes x: (register of aggregates, part of its sites), the second fastest; z: groups of right-hand sides.
///         Scalar: x, y: sites, parities; z: tiles of right-hand sides.
/// Halo  : none. Collective: no. Flops: 96 a site, vector and right-hand side. Bytes: V and fine field once.

#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/multigrid/blocks.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct ProlongBlocksArg : BlocksArg<S> {
  using Tile = BlockTile<S>;
  static constexpr int most_sources = 384; // vectors x right-hand sides whose coarse numbers the cache holds
  int together;                            // right-hand sides of a work item
  bool streaming;                          // stores past the cache
  int slabs, slab;                         // of an aggregate across direction 3, and their depth

  ProlongBlocksArg(const BlocksCall &c, const TuneParam &tp)
      : BlocksArg<S>(c, tp)
      , together(most_sources / this->vectors)
      , streaming(tp.streaming && !c.add)
      , slabs(tp.variant == 2 ? this->block[3] : 1)
      , slab(this->block[3] / slabs)
  {
    if (together > 12) together = 12;
    if (!Tile::lanes) together = this->rhs == 1 ? 1 : Tile::prolonged;
    if (Tile::lanes) {
      this->threads[0] = this->aggregates() * slabs;
      this->threads[1] = 1;
    }
    this->threads[2] = static_cast<unsigned>((this->rhs + together - 1) / together);
  }
};

template <class Arg> struct ProlongBlocks : NoKernelOps {
  using S = typename Arg::stored;
  using number = typename Arg::number;
  using real = typename Arg::real;
  using Tile = typename Arg::Tile;
  using C = Complex<real>;
  const Arg &arg;

  /// Coarse numbers of a register of aggregates, gathered.
  struct Gathered {
    alignas(64) number of[Arg::most_sources][2][2][width<S>]; // (right-hand side, vector), chirality, part

    QUDA_DEVICE C operator()(int X, int source) const
    {
      return {load_array<number>(of[source][X][0]), load_array<number>(of[source][X][1])};
    }
  };

  QUDA_DEVICE void operator()(unsigned x, unsigned y, unsigned z) const
  {
    const int j0 = static_cast<int>(z) * arg.together;
    if constexpr (Tile::lanes)
      register_of_aggregates(x / arg.slabs, static_cast<int>(x % arg.slabs), j0);
    else if (arg.rhs == 1)
      site<1>(x, y, j0);
    else
      site<Tile::prolonged>(x, y, j0);
  }

private:
  /// On lanes.
  QUDA_DEVICE void register_of_aggregates(unsigned record, int slab, int j0) const
  {
    const int left = arg.rhs - j0, nj = left < arg.together ? left : arg.together;
    const Aggregate a = arg.aggregate(record);
    Gathered numbers;
    gather(numbers, arg.coarse_sites(a), j0, nj);
    const int lo[4] = {0, 0, 0, slab * arg.slab}, hi[4] = {arg.block[0], arg.block[1], arg.block[2], lo[3] + arg.slab};
    arg.for_sites(a, lo, hi, [&](const Place &here, const Place &next) QUDA_LAMBDA {
      chirality<0>(numbers, here, next, j0, nj);
      chirality<1>(numbers, here, next, j0, nj);
    });
  }

  /// Half of a site's vectors, which stay in the first-level cache for all right-hand sides.
  template <int X>
  QUDA_DEVICE void chirality(const Gathered &numbers, const Place &here, const Place &next, int j0, int nj) const
  {
    constexpr int J = Tile::prolonged;
    const auto prefetch = [&](int i) QUDA_LAMBDA {
      if (X == 0) arg.prefetch_ahead(here, next, i, arg.vectors);
    };
    int j = 0;
    if (nj >= J) {
      half<X, J>(numbers, here, j0, j, prefetch);
      j += J;
    } else {
      half<X, 1>(numbers, here, j0, j, prefetch);
      j++;
    }
    const auto nothing = [](int) QUDA_LAMBDA {};
    for (; j + J <= nj; j += J) half<X, J>(numbers, here, j0, j, nothing);
    for (; j < nj; j++) half<X, 1>(numbers, here, j0, j, nothing);
  }

  template <int X, int J, class Prefetch>
  QUDA_DEVICE void half(const Gathered &numbers, const Place &here, int j0, int j, const Prefetch &prefetch) const
  {
    C sum[J][6];
    add<X>(sum, here, [&](int n, int i) QUDA_LAMBDA {
      if (n == 0) prefetch(i);
      return numbers(X, (j + n) * arg.vectors + i);
    });
    QUDA_UNROLL
    for (int n = 0; n < J; n++) {
      number *const p = arg.fine.at(here, j0 + j + n) + 12 * X * width<S>;
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        put(p + 2 * k * width<S>, sum[n][k].re);
        put(p + (2 * k + 1) * width<S>, sum[n][k].im);
      }
    }
  }

  QUDA_DEVICE void gather(Gathered &numbers, const CoarseSites<S> &from, int j0, int nj) const
  {
    for (int j = 0; j < nj; j++)
      for (int X = 0; X < 2; X++)
        for (int i = 0; i < arg.vectors; i++) {
          const long long at = arg.row_offset(X * arg.vectors + i, j0 + j);
          auto &to = numbers.of[j * arg.vectors + i][X];
          for (int lane = 0; lane < width<S>; lane++) {
            const number *const p = from.at[lane] + at;
            to[0][lane] = from.at[lane] ? p[0] : number(0);
            to[1][lane] = from.at[lane] ? p[Tile::to_imaginary] : number(0);
          }
        }
  }

  QUDA_DEVICE void put(number *p, real v) const
  {
    if (arg.streaming)
      stream(p, v);
    else
      store(p, arg.add ? load(p) + v : v);
  }

  /// On scalar targets: right-hand sides beyond the last one repeat it.
  template <int J> QUDA_DEVICE void site(unsigned x_cb, unsigned y, int j0) const
  {
    const Coord x = arg.index.coord(x_cb, arg.parity < 0 ? static_cast<int>(y) : arg.parity);
    Aggregate a;
    a.part = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) a.n[d] = x.o[d] / arg.block[d];
    const number *const from = arg.coarse_sites(a).at[0];
    const auto source = [&](int X, int n, int i) QUDA_LAMBDA {
      const int j = j0 + n < arg.rhs ? j0 + n : arg.rhs - 1;
      const number *const p = from + arg.row_offset(X * arg.vectors + i, j);
      return from ? C {p[0], p[Tile::to_imaginary]} : C {real(0.0), real(0.0)};
    };
    const Place here = arg.index.here(x);
    C sum[2][J][6];
    add<0>(sum[0], here, [&](int n, int i) QUDA_LAMBDA { return source(0, n, i); });
    add<1>(sum[1], here, [&](int n, int i) QUDA_LAMBDA { return source(1, n, i); });
    QUDA_UNROLL
    for (int n = 0; n < J; n++) {
      if (j0 + n >= arg.rhs) continue;
      real out[24];
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) out[2 * k] = sum[k / 6][n][k % 6].re, out[2 * k + 1] = sum[k / 6][n][k % 6].im;
      if (arg.add) {
        const auto before = arg.fine.read(here, j0 + n);
        QUDA_UNROLL
        for (int k = 0; k < 24; k++) out[k] = before[k] + out[k];
      }
      arg.fine.write(here, j0 + n, out);
    }
  }

  /// The six numbers of chirality X of J right-hand sides; source(n, i): a coarse number.
  template <int X, int J, class Source>
  QUDA_DEVICE void add(C (&sum)[J][6], const Place &here, const Source &source) const
  {
    QUDA_UNROLL
    for (int n = 0; n < J; n++) {
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) sum[n][k] = {real(0.0), real(0.0)};
    }
    for (int i = 0; i < arg.vectors; i++) {
      const auto V = arg.V.read(here, i);
      C c[J];
      QUDA_UNROLL
      for (int n = 0; n < J; n++) c[n] = scaled(V.scale(), source(n, i));
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        const C v = {V.raw(12 * X + 2 * k), V.raw(12 * X + 2 * k + 1)};
        QUDA_UNROLL
        for (int n = 0; n < J; n++) sum[n][k] = multiply_add(c[n], v, sum[n][k]);
      }
    }
  }
};

QUDA_INSTANCES(prolong_blocks, BlocksCall, Launch3D<ProlongBlocks, ProlongBlocksArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
