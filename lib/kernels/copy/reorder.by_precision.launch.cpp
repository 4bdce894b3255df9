/// Copies between orders, precisions and gamma bases, site by site: the form that addresses single lanes.
///   to(x, i) = from(x, i) for each site of the rank and each inner entry, or spin by spin
///   to(x, i)_s = sum_t rotation[s][t] from(x, i)_t, terms in the order of t.
/// Runs over the registers of a native side, the target side's if both are native; each lane's record is a run of
/// consecutive reals on a foreign side and a column of registers on a native one.
/// On the CPU, numbers of a foreign array go into a native field a register of sites at a time: its lanes' records are
/// a tile that BlockTranspose transposes, and later sites' records are prefetched (tp.prefetch). Measured on a shared
/// machine, the best of some runs in turn, times the speed of one lane after the other (16 16 16 16, one thread):
///                    MILC double  single    QDP double  single    spinors double  single
///   lanes turned     0.9          1.0       1.3 (8^4)   1.3 (8^4) 1.0             0.9
///   prefetched       1.6          1.6       1.4         1.0       1.5             1.1
///   both             1.4 to 2.2   1.4 to 2  1.3         1.2       1.0 to 1.6      1.0 to 1.7
///   the other way    0.7          0.7       lanes turned, prefetched or not (8^4, in cache: 1.1 to 1.3): not done
/// Not measured, and not done, on a GPU.
/// Half and quarter precision as in convert.launch.cpp; the sum is then computed in single precision.
/// to, from  : (parity, x_cb, inner, reals) of any two orders; must not overlap. Halo: none. Collective: no.
/// Flops     : none. Bytes: each real once on either side.
/// Instances : double, single, half, quarter to and from each = 16, in every build: host arrays come in either
/// precision.

#include "core/tune_param.h"
#include "device/block_transpose.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/shared_words.h"
#include "kernels/copy/reorder_call.h"
#include "device/stored.h"
#include "kernels/copy/range.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int from_bytes> struct ReorderArg {
  using stored = S;
  using from_stored = stored_of<from_bytes>;
  unsigned threads[3];
  Index to_index, from_index;
  ReorderCall call;
  int prefetch; // registers

  ReorderArg(const ReorderCall &c, const TuneParam &tp)
      : to_index(c.to.field.lattice)
      , from_index(c.from.field.lattice)
      , call(c)
      , prefetch(tp.prefetch)
  {
    threads[0] = sites().registers();
    threads[1] = c.parities;
    threads[2] = c.inner;
  }

  QUDA_DEVICE const Index &sites() const { return call.to.native ? to_index : from_index; }
};

/// Reals of a foreign array into a native field: a record there has them in sequence, here lane after lane.
template <class Arg> struct ReorderOps {
  using To = typename Arg::stored;
  using From = typename Arg::from_stored;
  static constexpr bool turns = block_is_thread && !is_fixed<To> && !is_fixed<From>;
  static constexpr int most_reals = 24; // of a tile
  using Tile = BlockTranspose<number_of<To>, most_reals, width<To>>;
  using Ops = choose<turns, KernelOps<Tile>, NoKernelOps>;
};

template <class Arg> struct Reorder : ReorderOps<Arg>::Ops {
  using Uses = ReorderOps<Arg>;
  using To = typename Arg::stored;
  using From = typename Arg::from_stored;
  const Arg &arg;

  /// Place of a lane's record, its scale, and its form.
  template <class T> struct Column {
    LaneRecord<T> reals;
    float *scale;
    int form; // 0 as they are, 1 transposed, 2 in planes
    double times;
    float range;

    /// Place of real k.
    QUDA_DEVICE int at(int k) const
    {
      return form == 0 ? k : form == 1 ? 6 * (k / 2 % 3) + 2 * (k / 6) + k % 2 : k / 2 + k % 2 * 9;
    }
  };

  template <class T>
  QUDA_DEVICE Column<T> column(const ReorderEnd &end, const Index &index, const Coord &x, int lane, int p, int i) const
  {
    if (end.native) {
      const unsigned site = index.same(x).full / 2;
      return {lane_record<T>(end.field, site, lane, p, i),
              is_fixed<T> ? lane_scale<T>(end.field, site, lane, p, i) : nullptr, 0, 0, range_of(end)};
    }
    unsigned long long lexicographic = 0;
    for (int d = 3; d >= 0; d--) {
      const LatticeView &lattice = arg.sites().lattice;
      lexicographic = lexicographic * end.stored[d] + end.offset[d] + coordinate(lattice, d, x.o[d], lane);
    }
    const FieldView &field = end.field;
    LaneRecord<T> reals =
        consecutive_record(static_cast<T *>(end.data[end.separate ? i : 0]) + p * field.parity_stride +
                           i * field.inner_stride + static_cast<long long>(lexicographic / 2) * field.record_stride);
    if (end.plane) reals.step = end.plane;
    return {reals, nullptr, end.plane ? 2 : end.transposed, end.times, 1};
  }

  /// Real k of a record, as a number.
  template <class T> QUDA_DEVICE static number_of<T> number(const Column<T> &c, int k)
  {
    if constexpr (is_fixed<T>) {
      return (c.scale ? *c.scale : c.range / fixed_one<T>)*static_cast<float>(c.reals[k].fixed);
    } else {
      const T x = c.reals[c.at(k)];
      return c.times != 0 ? static_cast<T>(x / c.times) : x;
    }
  }

  /// Writes value(k) for all k.
  template <class T, class Value> QUDA_DEVICE void write(const Column<T> &to, const Value &value) const
  {
    const int reals = arg.call.reals;
    if constexpr (is_fixed<T>) {
      constexpr float one = fixed_one<T>;
      float factor = one / to.range;
      if (to.scale) {
        float largest = 0, strange = 0;
        for (int k = 0; k < reals; k++) {
          const float x = static_cast<float>(value(k));
          largest = x > largest ? x : -x > largest ? -x : largest;
          strange = x * 0.0f + strange;
        }
        factor = largest > fixed_least ? one / largest : 0;
        *to.scale = largest * (1.0f / one) + strange;
      }
      bool fits = true;
      for (int k = 0; k < reals; k++) {
        const float x = static_cast<float>(value(k));
        fits = fits && x <= fixed_most<T> * to.range && -x <= fixed_most<T> * to.range;
        to.reals[k] = to_fixed<T>(factor * x);
      }
      if (!to.scale && !fits) set_flag(arg.call.beyond);
    } else {
      for (int k = 0; k < reals; k++) {
        const T x = static_cast<T>(value(k));
        to.reals[to.at(k)] = to.times != 0 ? static_cast<T>(x * to.times) : x;
      }
    }
  }

  /// Numbers from the records of a register's sites, from[lane], into its columns, of which lane 0 has `to`.
  QUDA_DEVICE void load_lanes(const Column<To> &to, const Column<From> *from, int lanes) const
  {
    const bool plain = from[0].form == 0 && from[0].times == 0;
    const auto load = [&](unsigned k, unsigned l, To *run, int count) QUDA_LAMBDA {
      if (plain)
        copy_run(run, from[l].reals.p + k, count);
      else
        for (int j = 0; j < count; j++) run[j] = static_cast<To>(number(from[l], static_cast<int>(k) + j));
    };
    const auto store = [&](unsigned k, unsigned l, const To *run, int count)
                           QUDA_LAMBDA { copy_run(to.reals.p + k * to.reals.step + l, run, count); };
    const typename Uses::Tile transpose {*this};
    const unsigned reals = arg.call.reals;
    for (unsigned x = 0; x * Uses::most_reals < reals; x++) transpose(x, 0, reals, lanes, load, store);
  }

  /// Prefetches records of later sites: a register has more streams of them than a processor follows.
  QUDA_DEVICE void prefetch_ahead(const Column<From> *from, int lanes) const
  {
    if (arg.prefetch == 0) return;
    for (int l = 0; l < lanes; l++) {
      const From *const next = from[l].reals.p + arg.prefetch * arg.call.from.field.record_stride;
      for (int k = 0; k < arg.call.reals; k += 64 / static_cast<int>(sizeof(From))) prefetch_line(next + k);
    }
  }

  QUDA_DEVICE void operator()(unsigned n, int p, int i) const
  {
    using Number = number_of<To>;
    const auto &call = arg.call;
    const Index &index = arg.sites();
    const Coord x = index.coord(n, (call.parity + p + i % call.slices) & 1);
    if constexpr (Uses::turns) {
      if (call.to.native && !call.from.native && !call.rotate) {
        const int first = x.part * index.lattice.width, lanes = index.active();
        Column<From> from[max_lanes];
        for (int l = 0; l < lanes; l++) from[l] = column<From>(call.from, arg.from_index, x, first + l, p, i);
        prefetch_ahead(from, lanes);
        return load_lanes(column<To>(call.to, arg.to_index, x, first, p, i), from, lanes);
      }
    }
    for (int l = 0; l < index.active(); l++) {
      const int lane = x.part * index.lattice.width + l;
      const Column<To> to = column<To>(call.to, arg.to_index, x, lane, p, i);
      const Column<From> from = column<From>(call.from, arg.from_index, x, lane, p, i);
      if (call.rotate) {
        const int stride = call.reals / call.spins;
        write(to, [&](int k) QUDA_LAMBDA {
          const int s = k / stride, c = k % stride;
          Number sum = static_cast<Number>(call.rotation[s][0]) * static_cast<Number>(number(from, c));
          for (int t = 1; t < call.spins; t++)
            sum = sum + static_cast<Number>(call.rotation[s][t]) * static_cast<Number>(number(from, t * stride + c));
          return sum;
        });
      } else if constexpr (is_fixed<To> && sizeof(To) == sizeof(From)) {
        if (to.scale) *to.scale = *from.scale;
        for (int k = 0; k < call.reals; k++) to.reals[k] = from.reals[k];
      } else {
        write(to, [&](int k) QUDA_LAMBDA { return static_cast<Number>(number(from, k)); });
      }
    }
  }
};

QUDA_INSTANCES(reorder, ReorderCall, Launch3D<Reorder, ReorderArg>, EveryPrecision<double, float, Half, Quarter>,
               Variants<8, 4, 2, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
