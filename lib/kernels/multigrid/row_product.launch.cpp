/// Products with matrix fields of coarse grids: out_j(s) = a x_j(s) + (b sum_l M_l(s) in_j(source(s, l)) + c y_j(s))
/// for each right-hand side j. Per row one chain of multiply-adds from zero through the legs of the list and the columns of each
/// in ascending order, so that right-hand sides, threads and ranks leave no trace in the bits.
/// matrices : (parity, site, leg, column, row) complex, double, single or half; vectors (parity, site, j, row) in double,
///            or single.
/// Registers: `colors` of rows by `sides` right-hand sides at a time; a matrix register serves all sides, a broadcast number
///            of the input all colors. A leg's columns meet all right-hand sides before the next leg comes.
/// Index    : x registers of out (sites, on scalar targets); y tiles of right-hand sides, which a register does together;
///            z = (parity, block of rows).
/// Halo     : of in, one layer, as the legs say. Collective: no. Flops: 8 a matrix element and right-hand side.
/// Bytes    : all matrices of the list once. Instances: matrices in double, single, half = 3.

#include "device/complex.h"
#include "device/elements.h"
#include "device/instances.h"
#include "kernels/halo/slots.h"
#include "kernels/multigrid/row_product_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// How much is in registers at a time.
struct RowTile {
  static constexpr bool scalar = width<float> == 1;
  static constexpr int sides = scalar ? 4 : 6; // right-hand sides of a tile
  static constexpr int tiles = row_product_tiles;
  static constexpr int block = scalar ? 2 : 4;    // colors of an index of z
  static constexpr int here = scalar ? 1 : tiles; // tiles of a thread
  /// Colors at a time where so many right-hand sides are.
  static constexpr int colors(int sides)
  {
#if defined(__AVX512F__)
    return sides > 4 ? 2 : sides > 2 ? 3 : 4;
#else
    return scalar ? 2 : sides == 1 ? 4 : sides == 2 ? 2 : 1;
#endif
  }
};

/// A field whose entries are right-hand sides.
QUDA_DEVICE StreamView stream_of(const FieldView &f)
{
  StreamView view {};
  view.points = f.lattice.stored_cb;
  view.rows = view.groups = view.layers = 1; // at(field, register, half, entry)
  view.inner_stride = f.inner_stride;
  view.reals = f.reals;
  view.vector = f.vector;
  return view;
}
QUDA_DEVICE StreamField field_of(const FieldView &f) { return {f.data, f.parity_stride, f.record_stride}; }

template <class S, int> struct RowProductArg {
  using stored = S;
  using number = number_of<S>;
  static constexpr int regions = 9;

  unsigned threads[3];
  Streams<S> matrix_stream;
  Streams<number> out_stream, x_stream, y_stream;
  StreamField matrices, out, x, y;
  StreamField in[regions];
  Streams<number> in_stream[regions];
  unsigned in_sites[regions];
  int vector; // of in
  const LegSource *sources;
  const int *list;
  const LegRun *runs;
  const unsigned *sites;
  int listed, rows_in, first, count, parity, in_parity, matrix_parity, flip_out, flip_in;
  int colors, blocks, prefetch;
  unsigned parts, volume_cb;
  number a, b, c;

  RowProductArg(const RowProductCall &c, const TuneParam &tp)
      : matrix_stream(stream_of(c.matrices))
      , out_stream(stream_of(c.out))
      , x_stream(stream_of(c.x.data ? c.x : c.out))
      , y_stream(stream_of(c.y.data ? c.y : c.out))
      , matrices(field_of(c.matrices))
      , out(field_of(c.out))
      , x(field_of(c.x))
      , y(field_of(c.y))
      , in_stream {of_region(c, 0), of_region(c, 1), of_region(c, 2), of_region(c, 3), of_region(c, 4),
                   of_region(c, 5), of_region(c, 6), of_region(c, 7), of_region(c, 8)}
      , vector(c.in.vector)
      , sources(c.sources)
      , list(c.list)
      , runs(c.runs)
      , sites(c.sites)
      , listed(c.listed)
      , rows_in(c.rows_in)
      , first(c.first)
      , count(c.count)
      , parity(c.parities == 2 ? -1 : c.parity)
      , in_parity(c.in_parity)
      , matrix_parity(c.matrix_parity)
      , flip_out(c.flip_out)
      , flip_in(c.flip_in)
      , colors(c.out.reals / 2)
      , blocks((colors + RowTile::block - 1) / RowTile::block)
      , prefetch(tp.prefetch)
      , parts(width<float> == 1 ? 1 : c.out.lattice.parts)
      , volume_cb(c.out.lattice.volume_cb)
      , a(static_cast<number>(c.a))
      , b(static_cast<number>(c.b))
      , c(static_cast<number>(c.c))
  {
    for (int r = 0; r < regions; r++) {
      const FieldView f = view_of(c, r);
      in[r] = field_of(f);
      in_sites[r] = f.lattice.stored_cb;
    }
    threads[0] = sites ? c.registers : volume_cb * parts;
    threads[1] = (c.count + RowTile::sides - 1) / RowTile::sides;
    threads[2] = c.parities * blocks;
  }

private:
  static FieldView view_of(const RowProductCall &c, int region)
  {
    if (region == 0) return c.in;
    const int d = (region - 1) / 2, up = (region - 1) % 2;
    if (!c.halo.slot[d][up]) return c.in;
    return slot_field(c.halo, d, c.halo.slot[d][up]);
  }
  static Streams<number> of_region(const RowProductCall &c, int region)
  {
    return Streams<number>(stream_of(view_of(c, region)));
  }
};

template <class Arg> struct RowProductOps {
  using Tiles = elements<Y, RowTile::tiles>;
  using Ops = KernelOps<Tiles>;
};

template <class Arg> struct RowProduct : RowProductOps<Arg>::Ops {
  using S = typename Arg::stored;
  using number = typename Arg::number;
  using real = Real<S>;
  using Tiles = typename RowProductOps<Arg>::Tiles;
  static constexpr int W = width<S>, lanes = RowTile::scalar ? 1 : max_lanes; // rows side by side
  const Arg &arg;

  /// The sums of a tile.
  struct Sums {
    real re[RowTile::block][RowTile::sides], im[RowTile::block][RowTile::sides];
  };

  QUDA_DEVICE void operator()(unsigned number, unsigned, unsigned z) const
  {
    const Tiles tiles {*this};
    Sums sums[RowTile::here]; // not element_array, which would be cleared
    const int half = static_cast<int>(z) / arg.blocks,
              color = (static_cast<int>(z) - half * arg.blocks) * RowTile::block;
    const unsigned x = arg.sites ? arg.sites[static_cast<unsigned>(half) * arg.threads[0] + number] : number;
    const int parity = arg.parity < 0 ? half : arg.parity;
    const int colors = arg.colors - color < RowTile::block ? arg.colors - color : RowTile::block;
    const unsigned site = x / arg.parts;
    for (auto tile : tiles) clear(sums[place(tile)]);
    for (int l = 0; l < arg.listed; l++) {
      const int leg = arg.list[l];
      const LegSource from = arg.sources[static_cast<long long>(2 * leg + parity) * arg.volume_cb + site];
      const int of_parity = static_cast<int>(from.where & 1), region = static_cast<int>(from.where >> 1);
      if (arg.in_parity >= 0 && of_parity != arg.in_parity) continue;
      const LegRun runs = arg.runs[leg];
      const S *const m = matrix(x, parity, 0);
      const S *const next = l + 1 < arg.listed ? matrix(x, parity, arg.runs[arg.list[l + 1]].column)
                                               : matrix(x + 1, parity, arg.runs[arg.list[0]].column);
      const long long ahead = arg.prefetch ? next - m - runs.column * arg.matrix_stream.inner_stride : 0;
      const Input input {arg.in_stream[region], arg.in[region], from.site, arg.in_parity < 0 ? of_parity : 0,
                         arg.in_sites[region]};
      const int flip = arg.flip_in > 0 && arg.flip_in < arg.rows_in ? arg.flip_in : arg.rows_in;
      for (auto tile : tiles) {
        Sums &sum = sums[place(tile)];
        const Matrix of_leg {m, tile == 0 ? ahead : 0, runs.begin, runs.end};
        columns(sum, of_leg, x, input, tile, color, colors, 0, flip);
        if (flip < arg.rows_in) {
          turn(sum);
          columns(sum, of_leg, x, input, tile, color, colors, flip, arg.rows_in);
          turn(sum);
        }
      }
    }
    for (auto tile : tiles) finish(sums[place(tile)], tile, x, half, color, colors);
  }

private:
  /// Where a leg's vectors stand.
  struct Input {
    const Streams<number> &stream;
    const StreamField &field;
    unsigned site;
    int half;
    unsigned sites;
  };

  /// A leg's columns: all of a site, how far ahead those lie that come next, and which runs are the leg's.
  struct Matrix {
    const S *site;
    long long ahead;
    int first, last;
  };

  QUDA_DEVICE const S *matrix(unsigned x, int parity, int column) const
  {
    return arg.matrix_stream.at(arg.matrices, x, arg.matrix_parity < 0 ? parity : 0, column);
  }

  QUDA_DEVICE static int place(int tile) { return RowTile::scalar ? 0 : tile; }
  QUDA_DEVICE int sides_of(int tile) const
  {
    const int left = arg.count - tile * RowTile::sides;
    return left < RowTile::sides ? left : RowTile::sides;
  }

  QUDA_DEVICE static void clear(Sums &sum)
  {
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c++) {
      QUDA_UNROLL
      for (int j = 0; j < RowTile::sides; j++) sum.re[c][j] = sum.im[c][j] = real(number(0));
    }
  }
  QUDA_DEVICE static void turn(Sums &sum)
  {
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c++) {
      QUDA_UNROLL
      for (int j = 0; j < RowTile::sides; j++) sum.re[c][j] = -sum.re[c][j], sum.im[c][j] = -sum.im[c][j];
    }
  }

  QUDA_DEVICE void columns(Sums &sum, const Matrix &m, unsigned x, const Input &input, int tile, int color, int colors,
                           int begin, int end) const
  {
    switch (sides_of(tile)) {
    case 1:
      return by_colors<1>(sum, m, x, input, tile, color, colors, begin, end);
    case 2:
      return by_colors<2>(sum, m, x, input, tile, color, colors, begin, end);
    case 3:
      return by_colors<3>(sum, m, x, input, tile, color, colors, begin, end);
    case 4:
      return by_colors<4>(sum, m, x, input, tile, color, colors, begin, end);
    default:
      if constexpr (RowTile::sides > 4) {
        if (sides_of(tile) == 5) return by_colors<5>(sum, m, x, input, tile, color, colors, begin, end);
        return by_colors<6>(sum, m, x, input, tile, color, colors, begin, end);
      }
    }
  }

  template <int sides> QUDA_DEVICE void by_colors(Sums &sum, const Matrix &m, unsigned x, const Input &input, int tile,
                                                  int color, int colors, int begin, int end) const
  {
    constexpr int most = RowTile::colors(sides);
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c += most) {
      if (c >= colors) break;
      const int left = colors - c;
      if (left >= most) {
        sweep<sides, most>(sum, c, m, x, input, tile, color, begin, end);
      } else {
        if constexpr (most > 1)
          if (left == 1) sweep<sides, 1>(sum, c, m, x, input, tile, color, begin, end);
        if constexpr (most > 2)
          if (left == 2) sweep<sides, 2>(sum, c, m, x, input, tile, color, begin, end);
        if constexpr (most > 3)
          if (left == 3) sweep<sides, 3>(sum, c, m, x, input, tile, color, begin, end);
      }
    }
  }

  /// What of rows [begin, end) of its input a leg reads, for n colors of rows from `first` of the block on. The matrix that
  /// comes next is asked for by the first tile, the others find it there.
  template <int sides, int n> QUDA_OUTLINE void sweep(Sums &sum, int first, const Matrix &matrix, unsigned x,
                                                      const Input &input, int tile, int color, int begin, int end) const
  {
    real re[n][sides], im[n][sides];
    QUDA_UNROLL
    for (int c = 0; c < n; c++) {
      QUDA_UNROLL
      for (int j = 0; j < sides; j++) re[c][j] = sum.re[first + c][j], im[c][j] = sum.im[first + c][j];
    }
    const long long ahead = matrix.ahead;
    const number *of_side[sides];
    QUDA_UNROLL
    for (int j = 0; j < sides; j++)
      of_side[j] =
          input.stream.at(input.field, input.site * arg.parts, input.half, arg.first + tile * RowTile::sides + j);
    for (int run = matrix.first; run < matrix.last; run++) {
      const LegRun rows = arg.runs[run];
      const int from = rows.begin < begin ? begin : rows.begin, to = rows.end < end ? rows.end : end;
      const S *m = matrix.site + (rows.column + from - rows.begin) * arg.matrix_stream.inner_stride;
      for (int row = from; row < to;) {
        // rows of one register of the input
        const int lane = row % lanes, stop = row + W - lane % W < to ? row + W - lane % W : to;
        const long long part = lane / W * input.field.record_stride + lane % W;
        const number *in[sides];
        QUDA_UNROLL
        for (int j = 0; j < sides; j++) in[j] = pair_at(of_side[j], 2 * (row / lanes), input.sites) + part;
        for (int k = 0; k < stop - row; k++, m += arg.matrix_stream.inner_stride) {
          const auto scale = arg.matrix_stream.scale(m, x);
          real a[n][2];
          QUDA_UNROLL
          for (int c = 0; c < n; c++) {
            arg.matrix_stream.template get<2>(m, 2 * (color + first + c), a[c]);
            if constexpr (!RowTile::scalar)
              if (c * sizeof(S) % sizeof(number) == 0) prefetch_line(m + ahead + 2 * (color + first + c) * W);
            a[c][0] = scale * a[c][0], a[c][1] = scale * a[c][1];
          }
          QUDA_UNROLL
          for (int j = 0; j < sides; j++) {
            const real b_re = real(in[j][k]), b_im = real(in[j][k + W]);
            QUDA_UNROLL
            for (int c = 0; c < n; c++) {
              re[c][j] = fma(a[c][0], b_re, re[c][j]);
              im[c][j] = fma(a[c][0], b_im, im[c][j]);
            }
            QUDA_UNROLL
            for (int c = 0; c < n; c++) {
              re[c][j] = fnma(a[c][1], b_im, re[c][j]);
              im[c][j] = fma(a[c][1], b_re, im[c][j]);
            }
          }
        }
        row = stop;
      }
    }
    QUDA_UNROLL
    for (int c = 0; c < n; c++) {
      QUDA_UNROLL
      for (int j = 0; j < sides; j++) sum.re[first + c][j] = re[c][j], sum.im[first + c][j] = im[c][j];
    }
  }

  /// Real k of a record, even; k + 1 lies W further on.
  QUDA_DEVICE const number *pair_at(const number *record, int k, unsigned sites) const
  {
    if constexpr (!RowTile::scalar)
      return record + k * W;
    else
      return record + static_cast<long long>(k / arg.vector) * sites * arg.vector + k % arg.vector;
  }

  QUDA_DEVICE void finish(const Sums &sum, int tile, unsigned x, int half, int color, int colors) const
  {
    const int sides = sides_of(tile);
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c++) {
      if (c >= colors) break;
      const real b = factor((color + c) * lanes + static_cast<int>(x % arg.parts) * W);
      QUDA_UNROLL
      for (int j = 0; j < RowTile::sides; j++) {
        if (j >= sides) break;
        const int entry = arg.first + tile * RowTile::sides + j, k = 2 * (color + c);
        real v[2] = {b * sum.re[c][j], b * sum.im[c][j]};
        add(v, arg.y_stream, arg.y, arg.c, x, half, entry, k);
        add(v, arg.x_stream, arg.x, arg.a, x, half, entry, k);
        arg.out_stream.template put<2>(arg.out_stream.at(arg.out, x, half, entry), k, v, false);
      }
    }
  }

  /// v += a f, of a field that may not be there
  QUDA_DEVICE static void add(real (&v)[2], const Streams<number> &stream, const StreamField &f, number a, unsigned x,
                              int half, int entry, int k)
  {
    if (!f.data) return;
    real of_field[2];
    stream.template get<2>(stream.at(f, x, half, entry), k, of_field);
    v[0] = fma(real(a), of_field[0], v[0]), v[1] = fma(real(a), of_field[1], v[1]);
  }

  /// b with the sign of each row from `row` on.
  QUDA_DEVICE real factor(int row) const
  {
    if (arg.flip_out == 0) return real(arg.b);
    number of_row[W];
    for (int l = 0; l < W; l++) of_row[l] = row + l < arg.flip_out ? arg.b : -arg.b;
    return load_array(of_row);
  }
};

QUDA_INSTANCES(row_product, RowProductCall, Launch3D<RowProduct, RowProductArg>, Stored, NoVariants)

extern const RowProductTile row_product_tile;
const RowProductTile row_product_tile = {RowTile::sides, RowTile::block};

} // namespace quda::QUDA_TARGET_NAMESPACE
