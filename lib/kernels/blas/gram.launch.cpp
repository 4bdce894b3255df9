/// Block inner products: <a_i, b_j> = sum conj(a_i) b_j of all pairs of columns of two lists, a_i and b_j right-hand
/// sides of one field or of several (core/stream_view.h; with groups, one set of pairs a group).
/// Tiles : na x nb pairs in registers, na + nb records read for each; for a list and one column, longer tiles of the
///         list. Pairs of a tile beyond the lists repeat the last column and are discarded.
/// Sums  : of one record in the fields' precision (in fixed point of integers, times both scales): the real part one
///         chain, the imaginary part a chain of re im minus one of im re, so that exchanging the lists conjugates the
///         result to the bit; then one entry a record, part and pair into the exact sums.
/// Index : x, y points and rows; z = (group, tile of a list). Sums of a z: (i, j, part).
/// Halo  : none. Collective: no. Flops: 8 a complex number and pair. Bytes: each column once, ideally.

#include "device/array.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/blas/gram_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Pairs of a tile: as many as registers have room for, with three chains each; on a GPU also for their accumulators.
struct Tile {
#if defined(__AVX512F__)
  static constexpr int na = 4, nb = 2;
#else
  static constexpr int na = 2, nb = block_is_thread ? 1 : 2;
#endif
  static constexpr int sums = 2 * na * nb;
  /// Reals of a record loaded together.
  template <class T> static constexpr int reals = block_is_thread ? 2 : sizeof(T) == 8 ? 4 : 8;
};

template <class T, int> struct GramArg {
  using stored = T;
  using real = Real<T>;

  unsigned threads[3];
  int active;
  Streams<T> streams;
  StreamField a[gram_columns], b[gram_columns];
  unsigned na, nb;
  bool narrow;            // b is one column
  unsigned across, tiles; // tiles along b, and of a group
  unsigned char tile[gram_tiles];

  GramArg(const GramCall &c, const TuneParam &)
      : active(c.shape.active)
      , streams(c.shape)
      , na(c.na)
      , nb(c.nb)
      , narrow(c.nb == 1)
      , across(narrow ? 1 : (c.nb + Tile::nb - 1) / Tile::nb)
      , tiles(c.tiles)
  {
    threads[0] = c.shape.points;
    threads[1] = c.shape.rows;
    threads[2] = c.shape.groups * tiles;
    for (int i = 0; i < c.na; i++) a[i] = c.a[i];
    for (int j = 0; j < c.nb; j++) b[j] = c.b[j];
    for (int t = 0; t < c.tiles; t++) tile[t] = c.tile[t];
  }
};

template <class Arg> struct Gram : NoKernelOps {
  using T = typename Arg::stored;
  using real = typename Arg::real;
  using Sums = array<real, Tile::sums>;
  static constexpr bool groups_share = true; // columns
  const Arg &arg;

  QUDA_DEVICE Sums operator()(unsigned point, unsigned row, unsigned z) const
  {
    if (Tile::nb > 1 && arg.narrow) return pairs<Tile::na * Tile::nb, 1>(point, row, z);
    return pairs<Tile::na, Tile::nb>(point, row, z);
  }

private:
  /// The chains of all pairs.
  template <int na, int nb> struct Chains {
    real re[na][nb], up[na][nb], down[na][nb];
  };

  /// n reals from the k-th.
  template <int n, int na, int nb>
  QUDA_DEVICE void add(Chains<na, nb> &sum, const T *const (&a)[na], const T *const (&b)[nb], int k) const
  {
    real w[nb][n];
    QUDA_UNROLL
    for (int j = 0; j < nb; j++) arg.streams.get(b[j], k, w[j]);
    QUDA_UNROLL
    for (int i = 0; i < na; i++) {
      real v[n];
      arg.streams.get(a[i], k, v);
      QUDA_UNROLL
      for (int q = 0; q < n; q += 2) {
        QUDA_UNROLL
        for (int j = 0; j < nb; j++) {
          sum.re[i][j] = fma(v[q + 1], w[j][q + 1], fma(v[q], w[j][q], sum.re[i][j]));
          sum.up[i][j] = fma(v[q], w[j][q + 1], sum.up[i][j]);
          sum.down[i][j] = fma(v[q + 1], w[j][q], sum.down[i][j]);
        }
      }
    }
  }

  template <int na, int nb> QUDA_DEVICE Sums pairs(unsigned point, unsigned row, unsigned z) const
  {
    const unsigned group = z / arg.tiles, tile = arg.tile[z - group * arg.tiles];
    const unsigned i0 = tile / arg.across * na, j0 = tile % arg.across * nb;
    const T *a[na], *b[nb];
    QUDA_UNROLL
    for (unsigned i = 0; i < na; i++)
      a[i] = arg.streams.at(arg.a[i0 + i < arg.na ? i0 + i : arg.na - 1], point, row, group);
    QUDA_UNROLL
    for (unsigned j = 0; j < nb; j++)
      b[j] = arg.streams.at(arg.b[j0 + j < arg.nb ? j0 + j : arg.nb - 1], point, row, group);

    Chains<na, nb> sum;
    QUDA_UNROLL
    for (int i = 0; i < na; i++) {
      QUDA_UNROLL
      for (int j = 0; j < nb; j++) sum.re[i][j] = sum.up[i][j] = sum.down[i][j] = real(0.0);
    }
    constexpr int n = Tile::reals<T>;
    int k = 0;
    for (; k + n <= arg.streams.reals; k += n) add<n>(sum, a, b, k);
    if constexpr (n > 2)
      for (; k < arg.streams.reals; k += 2) add<2>(sum, a, b, k);
    Sums sums;
    QUDA_UNROLL
    for (int i = 0; i < na; i++) {
      QUDA_UNROLL
      for (int j = 0; j < nb; j++) {
        const auto scale = arg.streams.scale(a[i], point) * arg.streams.scale(b[j], point);
        sums[2 * (i * nb + j)] = scale * sum.re[i][j];
        sums[2 * (i * nb + j) + 1] = scale * (sum.up[i][j] - sum.down[i][j]);
      }
    }
    return sums;
  }
};

struct GramLaunch {
  template <class T, int v, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_sum_3d<Gram>(tp, stream, GramArg<T, v>(call, tp), call.sums);
  }
};

QUDA_INSTANCES(gram, GramCall, GramLaunch, Stored, NoVariants)

extern const GramTile gram_tile;
const GramTile gram_tile = {Tile::na, Tile::nb};

} // namespace quda::QUDA_TARGET_NAMESPACE
