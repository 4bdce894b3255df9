/// Rotation of a set of vectors in place: v_j <- sum_i v_i q_ij for the first k of m vectors, one q a group
/// (core/stream_view.h). In ascending order of i from zero, each product as in caxpy; fixed point is rounded once.
/// Panel : a few numbers of all m vectors at each point are collected in a cache before any is overwritten, so that the
///         set is read once and the k vectors are written once.
/// Tiles : `vectors` results in registers, so that a number from the panel serves that many; results beyond the last
///         one are computed from zeros and discarded.
/// Index : x points; y tiles of vectors, which cooperate; z = (group, row).
/// Halo  : none. Collective: no. Flops: 8 a complex number and coefficient. Bytes: m vectors read, k written; in fixed
///         point m are read twice if the sums of a record, whose scale is that of all its numbers, do not fit into
///         registers.

#include "device/array.h"
#include "device/complex.h"
#include "device/elements.h"
#include "device/instances.h"
#include "device/shared_memory_cache.h"
#include "kernels/blas/rotate_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// As many sums as registers hold.
struct Panel {
  /// Complex numbers of a record. A GPU moves them by whole vectors.
  template <class T> static constexpr int numbers = block_is_thread || sizeof(T) == 8 ? 3 : 4;
#if defined(__AVX512F__)
  static constexpr int together = 4;
#else
  static constexpr int together = 2;
#endif
  /// Reals of n complex numbers moved together between memory and registers.
  template <int n> static constexpr int moved = block_is_thread ? 2 : 2 * n;
  /// Every vector of a block's tiles.
  struct Dims {
    QUDA_DEVICE static constexpr Extent of(Extent block)
    {
      return {{block.size[0], together * block.size[1], block.size[2]}};
    }
  };
};

template <class T, int> struct RotateArg {
  using stored = T;
  using number = number_of<T>;
  using real = Real<T>;

  unsigned threads[3];
  Streams<T> streams;
  StreamField first;
  long long apart;
  int vectors, kept, prefetch;
  unsigned rows, results; // results: number of tiles
  const number *q;

  RotateArg(const RotateCall &c, const TuneParam &tp)
      : streams(c.shape)
      , first(c.first)
      , apart(c.apart)
      , vectors(c.vectors)
      , kept(c.kept)
      , prefetch(tp.prefetch)
      , rows(c.shape.rows)
      , results((c.kept + Panel::together - 1) / Panel::together)
      , q(static_cast<const number *>(c.q))
  {
    threads[0] = c.shape.points;
    threads[1] = (c.vectors + Panel::together - 1) / Panel::together;
    threads[2] = c.shape.groups * rows;
  }
};

template <class Arg> struct RotateOps {
  using Tiles = elements<Y, rotate_tiles>;
  using Numbers = array<typename Arg::real, 2 * Panel::numbers<typename Arg::stored>>;
  using Cache = SharedMemoryCache<Numbers, Panel::Dims>;
  using Ops = KernelOps<Tiles, Cache>;
};

template <class Arg> struct Rotate : RotateOps<Arg>::Ops {
  using T = typename Arg::stored;
  using number = typename Arg::number;
  using real = typename Arg::real;
  using C = Complex<real>;
  using Uses = RotateOps<Arg>;
  using Tiles = typename Uses::Tiles;
  using Cache = typename Uses::Cache;
  static constexpr int together = Panel::together, numbers = Panel::numbers<T>;
  using Scales = array<RecordScale<T, real>, together>;
  using OfRecords = element_array<Scales, choose<is_fixed<T>, Tiles, elements<Y, 1>>>;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned, unsigned z) const
  {
    const unsigned group = z / arg.rows;
    T *const first = arg.streams.at(arg.first, point, z - group * arg.rows, group);
    const Tiles tiles {*this};
    if constexpr (is_fixed<T> && !block_is_thread) {
      constexpr int spinor = 24;
      if (arg.streams.reals == spinor) return at_once<spinor>(tiles, first, point, group);
    }
    OfRecords of_record;
    if constexpr (is_fixed<T>) sweep<true>(tiles, first, point, group, of_record);
    sweep<false>(tiles, first, point, group, of_record);
    if constexpr (is_fixed<T>) {
      for (auto tile : tiles) {
        QUDA_UNROLL
        for (int j = 0; j < together; j++)
          if (tile * together + j < arg.kept)
            arg.streams.put_scale(at(first, tile * together + j), point, of_record(tile)[j].scale(), false);
      }
    }
  }

private:
  QUDA_DEVICE T *at(T *first, int vector) const { return first + vector * arg.apart; }

  /// All numbers of the records. measuring: only the scales of the results are computed.
  template <bool measuring>
  QUDA_DEVICE void sweep(const Tiles &tiles, T *first, unsigned point, unsigned group, OfRecords &of_record) const
  {
    int k = 0;
    for (; k + 2 * numbers <= arg.streams.reals; k += 2 * numbers)
      piece<numbers, measuring>(tiles, first, point, group, k, of_record);
    if constexpr (numbers != 3)
      for (; k + 6 <= arg.streams.reals; k += 6) piece<3, measuring>(tiles, first, point, group, k, of_record);
    for (; k < arg.streams.reals; k += 2) piece<1, measuring>(tiles, first, point, group, k, of_record);
  }

  /// All numbers of the records in fixed point, by threads of one tile: sums stay in registers.
  template <int reals> QUDA_DEVICE void at_once(const Tiles &tiles, T *first, unsigned point, unsigned group) const
  {
    constexpr int pieces = reals / (2 * numbers);
    const Cache panel {*this};
    C sum[pieces][numbers][together];
    QUDA_UNROLL
    for (int p = 0; p < pieces; p++) {
      fill<numbers>(tiles, panel, first, point, 2 * numbers * p);
      panel.sync();
      for (auto tile : tiles)
        if (tile * together < arg.kept) product<numbers>(sum[p], panel, tile, group);
      panel.sync();
    }
    for (auto tile : tiles) {
      QUDA_UNROLL
      for (int j = 0; j < together; j++) {
        if (tile * together + j >= arg.kept) continue;
        T *const to = at(first, tile * together + j);
        RecordScale<T, real> record;
        QUDA_UNROLL
        for (int p = 0; p < pieces; p++) {
          QUDA_UNROLL
          for (int c = 0; c < numbers; c++) record.add(sum[p][c][j].re), record.add(sum[p][c][j].im);
        }
        const auto factor = record.factor();
        QUDA_UNROLL
        for (int p = 0; p < pieces; p++) {
          real v[2 * numbers];
          QUDA_UNROLL
          for (int c = 0; c < numbers; c++)
            v[2 * c] = factor * sum[p][c][j].re, v[2 * c + 1] = factor * sum[p][c][j].im;
          arg.streams.put(to, 2 * numbers * p, v, false);
        }
        arg.streams.put_scale(to, point, record.scale(), false);
      }
    }
  }

  /// n complex numbers of each vector, from real k, put into the panel.
  template <int n> QUDA_DEVICE void fill(const Tiles &tiles, const Cache &panel, T *first, unsigned point, int k) const
  {
    for (auto tile : tiles) {
      for (int i = tile * together; i < (tile + 1) * together && i < arg.vectors; i++) {
        const T *const x = at(first, i);
        const auto scale = arg.streams.scale(x, point);
        constexpr int moved = Panel::moved<n>;
        typename Uses::Numbers all;
        QUDA_UNROLL
        for (int c = 0; c < 2 * n; c += moved) {
          real v[moved];
          arg.streams.get(x, k + c, v);
          QUDA_UNROLL
          for (int q = 0; q < moved; q++) all[c + q] = scale * v[q];
        }
        QUDA_UNROLL
        for (int c = 2 * n; c < 2 * numbers; c++) all[c] = real(0.0);
        panel.save_y(all, i);
        if (arg.prefetch) arg.streams.template prefetch<2 * n>(x, k, arg.prefetch * arg.first.record_stride);
      }
    }
  }

  /// n complex numbers from real k.
  template <int n, bool measuring> QUDA_DEVICE void piece(const Tiles &tiles, T *first, unsigned point, unsigned group,
                                                          int k, OfRecords &of_record) const
  {
    const Cache panel {*this};
    fill<n>(tiles, panel, first, point, k);
    panel.sync();
    for (auto tile : tiles) {
      if (tile * together >= arg.kept) continue;
      C sum[n][together];
      product<n>(sum, panel, tile, group);
      QUDA_UNROLL
      for (int j = 0; j < together; j++) {
        if (tile * together + j >= arg.kept) continue;
        if constexpr (measuring) {
          auto &record = of_record(tile)[j];
          QUDA_UNROLL
          for (int c = 0; c < n; c++) record.add(sum[c][j].re), record.add(sum[c][j].im);
        } else {
          constexpr int moved = Panel::moved<n>;
          QUDA_UNROLL
          for (int c = 0; c < n; c += moved / 2) {
            real v[moved];
            QUDA_UNROLL
            for (int q = 0; q < moved / 2; q++) v[2 * q] = sum[c + q][j].re, v[2 * q + 1] = sum[c + q][j].im;
            if constexpr (is_fixed<T>) {
              const auto factor = of_record(tile)[j].factor();
              QUDA_UNROLL
              for (int q = 0; q < moved; q++) v[q] = factor * v[q];
            }
            arg.streams.put(at(first, tile * together + j), k + 2 * c, v, false);
          }
        }
      }
    }
    panel.sync();
  }

  /// sum_i v_i q_ij
  template <int n> QUDA_DEVICE void product(C (&sum)[n][together], const Cache &panel, int tile, unsigned group) const
  {
    QUDA_UNROLL
    for (int c = 0; c < n; c++) {
      QUDA_UNROLL
      for (int j = 0; j < together; j++) sum[c][j] = {real(0.0), real(0.0)};
    }
    const number *q = arg.q + 2LL * together * arg.vectors * (group * arg.results + tile);
    for (int i = 0; i < arg.vectors; i++, q += 2 * together) {
      const typename Uses::Numbers x = panel.load_y(i);
      QUDA_UNROLL
      for (int j = 0; j < together; j++) {
        const C a = {real(q[2 * j]), real(q[2 * j + 1])};
        QUDA_UNROLL
        for (int c = 0; c < n; c++) sum[c][j] = multiply_add(a, C {x[2 * c], x[2 * c + 1]}, sum[c][j]);
      }
    }
  }
};

QUDA_INSTANCES(rotate, RotateCall, Launch3D<Rotate, RotateArg>, Stored, NoVariants)

extern const RotateTile rotate_tile;
const RotateTile rotate_tile = {Panel::together};

} // namespace quda::QUDA_TARGET_NAMESPACE
