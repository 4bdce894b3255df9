/// Restriction to the coarse grid of aggregates: for each aggregate a, chirality X, vector i and right-hand side j
///   out_j(a; X n_vec + i) = sum over sites x of a, spins s of X and colours c of conj(V_i(x)_{s c}) in_j(x)_{s c}
/// V, in : (parity, x_cb, i or j, spin 4, color 3) complex. out: rows (fields/lattice.h, Lattice::rows); numbers beyond
///         2 n_vec are set to zero.
/// Sums  : at a site one fused chain over spins and colours, if V is in fixed point of its integers, times their scale;
///         then over sites, in the lexicographic order of their coordinates in the aggregate, so that bits depend on
///         neither lanes nor launches.
/// Tiles : vectors x right-hand sides of a site in registers. On lanes the sums of an aggregate stay in a cache
///         while its sites pass, so that V is read from memory once for `together` right-hand sides; a thread of a
///         scalar target has one tile.
/// Index : on lanes x: (register of aggregates, group of vectors), the second fastest; z: groups of right-hand sides.
///         Scalar: x, y, z: aggregate, tile of vectors, tile of right-hand sides; for a single one y: (vector,
///         chirality), as small grids have few aggregates.
/// Halo  : none. Collective: no. Flops: 96 a site, vector and right-hand side. Bytes: V and fine field once.

#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/multigrid/blocks.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct RestrictBlocksArg : BlocksArg<S> {
  using Tile = BlockTile<S>;
  static constexpr int most_group = 32; // vectors of a work item
  static constexpr int together = 12;   // right-hand sides of a work item
  int group;
  unsigned groups; // of an aggregate

  RestrictBlocksArg(const BlocksCall &c, const TuneParam &tp)
      : BlocksArg<S>(c, tp)
      , group(tp.variant == 2   ? 12
              : tp.variant == 3 ? 4
                                : most_group)
  {
    if (!Tile::lanes) group = this->rhs == 1 ? 1 : Tile::vectors(1);
    const int of_rhs = Tile::lanes ? together : this->rhs == 1 ? 1 : Tile::most_rhs;
    groups = static_cast<unsigned>((this->vectors + group - 1) / group);
    this->threads[0] = this->aggregates() * (Tile::lanes ? groups : 1);
    this->threads[1] = Tile::lanes ? 1 : this->rhs == 1 ? 2 * groups : groups;
    this->threads[2] = static_cast<unsigned>((this->rhs + of_rhs - 1) / of_rhs);
  }
};

template <class Arg> struct RestrictBlocks : NoKernelOps {
  using S = typename Arg::stored;
  using number = typename Arg::number;
  using real = typename Arg::real;
  using Tile = typename Arg::Tile;
  using C = Complex<real>;
  static constexpr int few = 4; // vectors
  const Arg &arg;

  /// Sums of an aggregate: chirality, right-hand side, vector.
  template <int I, int J> struct Sums {
    C of[2][J][I];
  };

  QUDA_DEVICE void operator()(unsigned x, unsigned y, unsigned z) const
  {
    if constexpr (Tile::lanes)
      register_of_aggregates(x / arg.groups, static_cast<int>(x % arg.groups) * arg.group,
                             static_cast<int>(z) * Arg::together);
    else if (arg.rhs == 1)
      y % 2 ? chirality_of_aggregate<1>(x, y / 2) : chirality_of_aggregate<0>(x, y / 2);
    else
      tile_of_aggregate<Tile::most_rhs>(x, y, z);
  }

private:
  /// On lanes.
  QUDA_DEVICE void register_of_aggregates(unsigned record, int i0, int j0) const
  {
    const int i_left = arg.vectors - i0, j_left = arg.rhs - j0;
    const int ni = i_left < arg.group ? i_left : arg.group, nj = j_left < Arg::together ? j_left : Arg::together;
    const Aggregate a = arg.aggregate(record);
    Sums<Arg::most_group, Arg::together> sums;
    for (int X = 0; X < 2; X++)
      for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++) sums.of[X][j][i] = {real(0.0), real(0.0)};
    arg.for_sites(a, arg.lo, arg.hi, [&](const Place &here, const Place &next) QUDA_LAMBDA {
      for (int i = 0; i < ni; i += few) { // so that they stay in the first-level cache for all right-hand sides
        const int last = ni - i < few ? ni : i + few;
        for (int m = i; m < last; m++) arg.prefetch_ahead(here, next, i0 + m, arg.vectors);
        if (i == 0 && arg.prefetch)
          for (int j = 0; j < nj; j++) arg.fine.prefetch(next, j0 + j, 0);
        for (int j = 0, n; j < nj; j += n) {
          n = Tile::next(nj - j);
          if (n == 1)
            add_vectors<1>(sums, here, i0, i, last, j0, j);
          else if (n == 2 || Tile::most_rhs == 2)
            add_vectors<2>(sums, here, i0, i, last, j0, j);
          else
            add_vectors<Tile::most_rhs>(sums, here, i0, i, last, j0, j);
        }
      }
    });
    const CoarseSites<S> to = arg.coarse_sites(a);
    for (int j = 0; j < nj; j++) {
      for (int X = 0; X < 2; X++)
        for (int i = 0; i < ni; i++) put(to, X * arg.vectors + i0 + i, j0 + j, sums.of[X][j][i]);
      if (i0 == 0) clear_padding(to, j0 + j);
    }
  }

  template <int J, class Sums>
  QUDA_DEVICE void add_vectors(Sums &sums, const Place &here, int i0, int i, int last, int j0, int j) const
  {
    constexpr int I = Tile::vectors(J);
    for (; i + I <= last; i += I) add<I, J>(sums, here, i0, i, j0, j);
    for (; i < last; i++) add<1, J>(sums, here, i0, i, j0, j);
  }

  /// On scalar targets: vectors or right-hand sides beyond the last repeat it and are discarded.
  template <int J> QUDA_DEVICE void tile_of_aggregate(unsigned n, unsigned y, unsigned z) const
  {
    constexpr int I = Tile::vectors(J);
    const int i0 = static_cast<int>(y) * I, j0 = static_cast<int>(z) * J;
    const Aggregate a = arg.aggregate(n);
    Sums<I, J> sums;
    QUDA_UNROLL
    for (int X = 0; X < 2; X++) {
      QUDA_UNROLL
      for (int j = 0; j < J; j++) {
        QUDA_UNROLL
        for (int i = 0; i < I; i++) sums.of[X][j][i] = {real(0.0), real(0.0)};
      }
    }
    arg.for_sites(a, arg.lo, arg.hi,
                  [&](const Place &here, const Place &) QUDA_LAMBDA { add<I, J>(sums, here, i0, 0, j0, 0); });
    const CoarseSites<S> to = arg.coarse_sites(a);
    QUDA_UNROLL
    for (int j = 0; j < J; j++) {
      QUDA_UNROLL
      for (int X = 0; X < 2; X++) {
        QUDA_UNROLL
        for (int i = 0; i < I; i++)
          if (i0 + i < arg.vectors && j0 + j < arg.rhs) put(to, X * arg.vectors + i0 + i, j0 + j, sums.of[X][j][i]);
      }
    }
  }

  /// On scalar targets: one vector and right-hand side.
  template <int X> QUDA_DEVICE void chirality_of_aggregate(unsigned n, unsigned vector) const
  {
    const int i = static_cast<int>(vector);
    const Aggregate a = arg.aggregate(n);
    C all = {real(0.0), real(0.0)};
    arg.for_sites(a, arg.lo, arg.hi, [&](const Place &here, const Place &) QUDA_LAMBDA {
      const auto V = arg.V.read(here, i).again();
      const auto in = arg.fine.read(here, 0).again();
      C sum;
      QUDA_UNROLL
      for (int k = 6 * X; k < 6 * X + 6; k++) {
        const C v = {V.raw(2 * k), V.raw(2 * k + 1)}, b = {in[2 * k], in[2 * k + 1]};
        sum = k == 6 * X ? conj_multiply(v, b) : conj_multiply_add(v, b, sum);
      }
      all = all + scaled(V.scale(), sum);
    });
    put(arg.coarse_sites(a), X * arg.vectors + i, 0, all);
  }

  /// A site's products of the I vectors and J right-hand sides from i and j on.
  template <int I, int J, class Sums>
  QUDA_DEVICE void add(Sums &sums, const Place &here, int i0, int i, int j0, int j) const
  {
    decltype(arg.V.read(here, 0)) V[I];
    decltype(arg.fine.read(here, 0)) in[J];
    QUDA_UNROLL
    for (int m = 0; m < I; m++)
      V[m] = arg.V.read(here, i0 + i + m < arg.vectors ? i0 + i + m : arg.vectors - 1).again();
    QUDA_UNROLL
    for (int m = 0; m < J; m++) in[m] = arg.fine.read(here, j0 + j + m < arg.rhs ? j0 + j + m : arg.rhs - 1).again();
    QUDA_UNROLL
    for (int X = 0; X < 2; X++) {
      C sum[I][J];
      QUDA_UNROLL
      for (int k = 6 * X; k < 6 * X + 6; k++) {
        C b[J];
        QUDA_UNROLL
        for (int n = 0; n < J; n++) b[n] = {in[n][2 * k], in[n][2 * k + 1]};
        QUDA_UNROLL
        for (int m = 0; m < I; m++) {
          const C v = {V[m].raw(2 * k), V[m].raw(2 * k + 1)};
          QUDA_UNROLL
          for (int n = 0; n < J; n++)
            sum[m][n] = k == 6 * X ? conj_multiply(v, b[n]) : conj_multiply_add(v, b[n], sum[m][n]);
        }
      }
      QUDA_UNROLL
      for (int n = 0; n < J; n++) {
        QUDA_UNROLL
        for (int m = 0; m < I; m++) {
          C &all = sums.of[X][j + n][i + m];
          all = all + scaled(V[m].scale(), sum[m][n]);
        }
      }
    }
  }

  /// A number of each coarse site.
  QUDA_DEVICE void put(const CoarseSites<S> &to, int row, int j, const C &z) const
  {
    number re[width<S>], im[width<S>];
    __builtin_memcpy(re, &z.re, sizeof(re));
    __builtin_memcpy(im, &z.im, sizeof(im));
    const long long at = arg.row_offset(row, j);
    for (int lane = 0; lane < width<S>; lane++) {
      if (!to.at[lane]) continue;
      number *const p = to.at[lane] + at;
      p[0] = arg.add ? p[0] + re[lane] : re[lane];
      p[Tile::to_imaginary] = arg.add ? p[Tile::to_imaginary] + im[lane] : im[lane];
    }
  }

  /// Zeroes padding rows.
  QUDA_DEVICE void clear_padding(const CoarseSites<S> &to, int j) const
  {
    const int rows = arg.coarse.field.reals / 2 * arg.coarse.field.lattice.lanes;
    if (arg.add) return;
    for (int row = 2 * arg.vectors; row < rows; row++) put(to, row, j, {real(0.0), real(0.0)});
  }
};

QUDA_INSTANCES(restrict_blocks, BlocksCall, Launch3D<RestrictBlocks, RestrictBlocksArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
