/// Products with matrix fields of coarse grids: out_j(s) = a x_j(s) + (b sum_l M_l(s) in_j(source(s, l)) + c y_j(s))
/// for each right-hand side j. Each row and leg has one chain of multiply-adds from zero, columns ascending; the
/// legs' sums are added in the order of the list, so that bits depend on neither right-hand sides, threads nor ranks.
/// matrices : (parity, site, leg, column, row) complex, double, single or half; vectors (parity, site, j, row) in double,
///            or single.
/// Registers: `colors` of rows by `sides` right-hand sides at a time; a matrix register serves all sides, a broadcast number
///            of the input all colors. A leg's columns meet all right-hand sides before the next leg.
/// Index    : x registers of out; y tiles of right-hand sides, computed together by a register; z = (parity, block of
///            rows). On scalar targets x sites; y legs, some at a time, one to a thread; z = (parity, tile, block of
///            rows): small grids fill a GPU by legs and rows.
/// Halo     : of in, one layer, as the legs require. Collective: no. Flops: 8 a matrix element and right-hand side.
/// Bytes    : all matrices of the list once. Instances: matrices in double, single, half = 3.

#include "device/complex.h"
#include "device/elements.h"
#include "device/instances.h"
#include "device/shared_memory_cache.h"
#include "kernels/halo/slots.h"
#include "kernels/multigrid/row_product_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Numbers in registers at a time.
struct RowTile {
  static constexpr bool scalar = width<float> == 1;
  static constexpr int sides = scalar ? 4 : 6; // right-hand sides of a tile
  static constexpr int tiles = row_product_tiles;
  static constexpr int block = scalar ? 2 : 4;    // colors of an index of z
  static constexpr int here = scalar ? 1 : tiles; // tiles of a thread
  static constexpr int legs = scalar ? 8 : 0;     // threads of a block with one leg each
  /// Columns loaded at once: a single column does not hide memory's latency.
  static constexpr int columns(int sides, int bytes) { return (sides <= 2 ? 8 : 4) / (bytes == 8 ? 2 : 1); }
  /// Colors at a time for a number of right-hand sides.
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
  int log_vector; // of in
  const LegSource *sources;
  const int *list;
  const LegRun *runs;
  const unsigned *sites;
  int listed, rows_in, first, count, parity, in_parity, matrix_parity, flip_out, flip_in;
  int colors, blocks, tiles, prefetch;
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
      , log_vector(c.in.vector < 2   ? 0
                   : c.in.vector < 4 ? 1
                   : c.in.vector < 8 ? 2
                                     : 3)
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
      , tiles((c.count + RowTile::sides - 1) / RowTile::sides)
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
    threads[1] = RowTile::scalar ? (c.listed < 1 ? 1 : c.listed < RowTile::legs ? c.listed : RowTile::legs) : tiles;
    threads[2] = c.parities * blocks * (RowTile::scalar ? tiles : 1);
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
  /// The sums of a tile.
  struct Sums {
    Real<typename Arg::stored> re[RowTile::block][RowTile::sides], im[RowTile::block][RowTile::sides];
  };
  using Tiles = elements<Y, RowTile::tiles>;
  using Legs = elements<Y, RowTile::legs>;
  using Cache = SharedMemoryCache<Sums>;
  using Ops = choose<RowTile::scalar, KernelOps<Legs, Cache>, KernelOps<Tiles>>;
};

template <class Arg> struct RowProduct : RowProductOps<Arg>::Ops {
  using S = typename Arg::stored;
  using number = typename Arg::number;
  using real = Real<S>;
  using Uses = RowProductOps<Arg>;
  using Sums = typename Uses::Sums;
  static constexpr int W = width<S>, lanes = RowTile::scalar ? 1 : max_lanes; // rows side by side
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned number, unsigned, unsigned z) const
  {
    const int q = static_cast<int>(z) / arg.blocks, color = (static_cast<int>(z) - q * arg.blocks) * RowTile::block;
    const int half = RowTile::scalar ? q / arg.tiles : q, left = arg.colors - color;
    const unsigned x = arg.sites ? arg.sites[static_cast<unsigned>(half) * arg.threads[0] + number] : number;
    const Rows rows {x,     x / arg.parts,
                     half,  arg.parity < 0 ? half : arg.parity,
                     color, left < RowTile::block ? left : RowTile::block};
    if constexpr (RowTile::scalar)
      side_by_side(rows, q - half * arg.tiles);
    else
      in_turn(rows);
  }

private:
  /// The rows of a register to be computed.
  struct Rows {
    unsigned x, site;
    int half, parity;
    int color, colors;
  };

  /// Legs one after another, each for all tiles.
  QUDA_DEVICE void in_turn(const Rows &rows) const
  {
    const typename Uses::Tiles tiles {*this};
    Sums sums[RowTile::here]; // not element_array, which would be cleared
    for (auto tile : tiles) clear(sums[tile], sides_of(tile));
    for (int l = 0; l < arg.listed; l++)
      for (auto tile : tiles) {
        Sums of_leg;
        if (multiply(of_leg, l, rows, tile)) add(sums[tile], of_leg, sides_of(tile));
      }
    for (auto tile : tiles) finish(sums[tile], tile, rows);
  }

  /// Each thread computes one leg.
  QUDA_DEVICE void side_by_side(const Rows &rows, int tile) const
  {
    const typename Uses::Legs legs {*this};
    const typename Uses::Cache cache {*this};
    Sums sums;
    clear(sums, RowTile::sides);
    for (int first = 0; first < arg.listed; first += legs.count()) {
      const int n = arg.listed - first < legs.count() ? arg.listed - first : legs.count();
      if (first > 0) cache.sync();
      for (auto l : legs) {
        Sums of_leg;
        if (l >= n) continue;
        if (!multiply(of_leg, first + l, rows, tile)) clear(of_leg, RowTile::sides);
        cache.save_y(of_leg, l);
      }
      cache.sync();
      if (legs.first() == 0)
        for (int l = 0; l < n; l++) add(sums, cache.load_y(l), RowTile::sides);
    }
    if (legs.first() == 0) finish(sums, tile, rows);
  }

  /// sum = number l of the list; false if the leg's input counts as zero.
  QUDA_DEVICE bool multiply(Sums &sum, int l, const Rows &rows, int tile) const
  {
    const int leg = arg.list[l];
    const LegSource from = arg.sources[static_cast<long long>(2 * leg + rows.parity) * arg.volume_cb + rows.site];
    const int of_parity = static_cast<int>(from.where & 1), region = static_cast<int>(from.where >> 1);
    if (arg.in_parity >= 0 && of_parity != arg.in_parity) return false;
    const LegRun runs = arg.runs[leg];
    const S *const m = matrix(rows.x, rows.parity, 0);
    long long ahead = 0;
    if (!RowTile::scalar && arg.prefetch && tile == 0) {
      const S *const next = l + 1 < arg.listed ? matrix(rows.x, rows.parity, arg.runs[arg.list[l + 1]].column)
                                               : matrix(rows.x + 1, rows.parity, arg.runs[arg.list[0]].column);
      ahead = next - m - runs.column * arg.matrix_stream.inner_stride;
    }
    const Input input {arg.in_stream[region], arg.in[region], from.site, arg.in_parity < 0 ? of_parity : 0,
                       arg.in_sites[region]};
    const Matrix of_leg {m, ahead, runs.begin, runs.end};
    const int flip = arg.flip_in > 0 && arg.flip_in < arg.rows_in ? arg.flip_in : arg.rows_in, sides = sides_of(tile);
    clear(sum, sides);
    columns(sum, of_leg, rows, input, tile, 0, flip);
    if (flip < arg.rows_in) {
      turn(sum, sides);
      columns(sum, of_leg, rows, input, tile, flip, arg.rows_in);
      turn(sum, sides);
    }
    return true;
  }

  /// Place of a leg's vectors.
  struct Input {
    const Streams<number> &stream;
    const StreamField &field;
    unsigned site;
    int half;
    unsigned sites;
  };

  /// A leg's columns: all of a site, the distance to the next leg's columns, and the leg's runs.
  struct Matrix {
    const S *site;
    long long ahead;
    int first, last;
  };

  QUDA_DEVICE const S *matrix(unsigned x, int parity, int column) const
  {
    return arg.matrix_stream.at(arg.matrices, x, arg.matrix_parity < 0 ? parity : 0, column);
  }

  QUDA_DEVICE int sides_of(int tile) const
  {
    const int left = arg.count - tile * RowTile::sides;
    return left < RowTile::sides ? left : RowTile::sides;
  }

  /// change(real of a, real of b) for the first `sides` right-hand sides; on scalar targets all are registers.
  template <class Change> QUDA_DEVICE static void for_sums(Sums &a, const Sums &b, int sides, const Change &change)
  {
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c++) {
      QUDA_UNROLL
      for (int j = 0; j < RowTile::sides; j++) {
        if (!RowTile::scalar && j >= sides) break;
        change(a.re[c][j], b.re[c][j]);
        change(a.im[c][j], b.im[c][j]);
      }
    }
  }
  QUDA_DEVICE static void clear(Sums &sum, int sides)
  {
    for_sums(sum, sum, sides, [](real &a, const real &) QUDA_LAMBDA { a = real(number(0)); });
  }
  QUDA_DEVICE static void turn(Sums &sum, int sides)
  {
    for_sums(sum, sum, sides, [](real &a, const real &) QUDA_LAMBDA { a = -a; });
  }
  QUDA_DEVICE static void add(Sums &sum, const Sums &other, int sides)
  {
    for_sums(sum, other, sides, [](real &a, const real &b) QUDA_LAMBDA { a = a + b; });
  }

  QUDA_DEVICE void columns(Sums &sum, const Matrix &m, const Rows &rows, const Input &input, int tile, int begin,
                           int end) const
  {
    switch (sides_of(tile)) {
    case 1:
      return by_colors<1>(sum, m, rows, input, tile, begin, end);
    case 2:
      return by_colors<2>(sum, m, rows, input, tile, begin, end);
    case 3:
      return by_colors<3>(sum, m, rows, input, tile, begin, end);
    case 4:
      return by_colors<4>(sum, m, rows, input, tile, begin, end);
    default:
      if constexpr (RowTile::sides > 4) {
        if (sides_of(tile) == 5) return by_colors<5>(sum, m, rows, input, tile, begin, end);
        return by_colors<6>(sum, m, rows, input, tile, begin, end);
      }
    }
  }

  template <int sides> QUDA_DEVICE void by_colors(Sums &sum, const Matrix &m, const Rows &rows, const Input &input,
                                                  int tile, int begin, int end) const
  {
    constexpr int most = RowTile::colors(sides);
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c += most) {
      if (c >= rows.colors) break;
      const int left = rows.colors - c;
      if (left >= most) {
        sweep<sides, most>(sum, c, m, rows, input, tile, begin, end);
      } else {
        if constexpr (most > 1)
          if (left == 1) sweep<sides, 1>(sum, c, m, rows, input, tile, begin, end);
        if constexpr (most > 2)
          if (left == 2) sweep<sides, 2>(sum, c, m, rows, input, tile, begin, end);
        if constexpr (most > 3)
          if (left == 3) sweep<sides, 3>(sum, c, m, rows, input, tile, begin, end);
      }
    }
  }

  /// The part of rows [begin, end) of its input that a leg reads, for n colors of rows from `first` of the block on.
  /// The next matrix is prefetched by the first tile for all tiles.
  template <int sides, int n> QUDA_OUTLINE void sweep(Sums &sum, int first, const Matrix &matrix, const Rows &at,
                                                      const Input &input, int tile, int begin, int end) const
  {
    const unsigned x = at.x;
    const int color = at.color;
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
      if constexpr (RowTile::scalar) {
        constexpr int many = RowTile::columns(sides, sizeof(number));
        int row = from;
        for (; row + many <= to; row += many, m += many * arg.matrix_stream.inner_stride)
          add_columns<many>(re, im, m, x, color + first, of_side, row, input.sites);
        for (; row < to; row++, m += arg.matrix_stream.inner_stride)
          add_columns<1>(re, im, m, x, color + first, of_side, row, input.sites);
      } else {
        for (int row = from; row < to;) {
          // rows in one register of the input
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
    }
    QUDA_UNROLL
    for (int c = 0; c < n; c++) {
      QUDA_UNROLL
      for (int j = 0; j < sides; j++) sum.re[first + c][j] = re[c][j], sum.im[first + c][j] = im[c][j];
    }
  }

  /// On scalar targets: `many` columns from m on, times rows of the input; all is loaded before it is used.
  template <int many, int sides, int n>
  QUDA_DEVICE void add_columns(real (&re)[n][sides], real (&im)[n][sides], const S *m, unsigned x, int color,
                               const number *const (&of_side)[sides], int row, unsigned sites) const
  {
    real a[many][n][2], b[many][sides][2];
    QUDA_UNROLL
    for (int k = 0; k < many; k++) {
      const S *const column = m + k * arg.matrix_stream.inner_stride;
      const auto scale = arg.matrix_stream.scale(column, x);
      QUDA_UNROLL
      for (int c = 0; c < n; c++) {
        arg.matrix_stream.template get<2>(column, 2 * (color + c), a[k][c]);
        a[k][c][0] = scale * a[k][c][0], a[k][c][1] = scale * a[k][c][1];
      }
      QUDA_UNROLL
      for (int j = 0; j < sides; j++) {
        const number *const in = pair_at(of_side[j], 2 * (row + k), sites);
        b[k][j][0] = real(in[0]), b[k][j][1] = real(in[1]);
      }
    }
    QUDA_UNROLL
    for (int k = 0; k < many; k++) {
      QUDA_UNROLL
      for (int j = 0; j < sides; j++) {
        QUDA_UNROLL
        for (int c = 0; c < n; c++) {
          re[c][j] = fma(a[k][c][0], b[k][j][0], re[c][j]);
          im[c][j] = fma(a[k][c][0], b[k][j][1], im[c][j]);
          re[c][j] = fnma(a[k][c][1], b[k][j][1], re[c][j]);
          im[c][j] = fma(a[k][c][1], b[k][j][0], im[c][j]);
        }
      }
    }
  }

  /// Real k of a record, even; k + 1 lies W further on.
  QUDA_DEVICE const number *pair_at(const number *record, int k, unsigned sites) const
  {
    if constexpr (!RowTile::scalar)
      return record + k * W;
    else
      return record + (static_cast<long long>(k >> arg.log_vector) * sites << arg.log_vector) +
             (k & ((1 << arg.log_vector) - 1));
  }

  QUDA_DEVICE void finish(const Sums &sum, int tile, const Rows &rows) const
  {
    const int sides = sides_of(tile), half = rows.half, color = rows.color;
    const unsigned x = rows.x;
    QUDA_UNROLL
    for (int c = 0; c < RowTile::block; c++) {
      if (c >= rows.colors) break;
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

  /// v += a f, for a field that may be absent
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
    alignas(64) number of_row[W];
    for (int l = 0; l < W; l++) of_row[l] = row + l < arg.flip_out ? arg.b : -arg.b;
    return load_array(of_row);
  }
};

QUDA_INSTANCES(row_product, RowProductCall, Launch3D<RowProduct, RowProductArg>, Stored, NoVariants)

extern const RowProductTile row_product_tile;
const RowProductTile row_product_tile = {RowTile::sides, RowTile::block, RowTile::legs};

} // namespace quda::QUDA_TARGET_NAMESPACE
