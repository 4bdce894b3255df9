#pragma once
/// Native storage of the lane target, as core/view.h has it. A site of a field is a pointer with
/// loads at use, so that registers hold what is being computed and not what is waiting.

#include "core/view.h"
#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A register from an array of its lanes, aligned as a register.
template <class T> QUDA_DEVICE Real<T> load_array(const T (&lanes)[width<T>]) { return load(lanes); }

/// The `reals` numbers of one inner entry at one place, read where they are used.
template <class T, int reals> struct Record {
  const T *p;
  QUDA_DEVICE Real<T> operator[](int k) const { return load(p + k * width<T>); }

  /// The same numbers, to be loaded again: a compiler that would keep them in registers for a second use has to keep
  /// them on the stack.
  QUDA_DEVICE Record again() const
  {
    const T *same = p;
    __asm__("" : "+r"(same));
    return {same};
  }
};

template <class T, int reals> struct Storage {
  T *data;
  long long parity_stride;
  long long record_stride;
  long long inner_stride;

  QUDA_DEVICE Storage() = default;
  QUDA_DEVICE explicit Storage(const FieldView &f)
      : data(static_cast<T *>(f.data))
      , parity_stride(f.parity_stride)
      , record_stride(f.record_stride)
      , inner_stride(f.inner_stride)
  {
  }

  /// A halo slot of `sites` face sites.
  QUDA_DEVICE Storage(void *slot, const LatticeView &, int inner, unsigned /* sites */)
      : data(static_cast<T *>(slot))
      , parity_stride(0)
      , record_stride(static_cast<long long>(inner) * (reals * width<T>))
      , inner_stride(reals * width<T>)
  {
  }

  QUDA_DEVICE T *at(const Place &n, int i) const
  {
    return data + n.parity * parity_stride + n.record * record_stride + i * inner_stride;
  }

  QUDA_DEVICE Record<T, reals> read(const Place &n, int i) const { return {at(n, i)}; }

  QUDA_DEVICE void write(const Place &n, int i, const Real<T> (&v)[reals], bool streaming = false) const
  {
    T *p = at(n, i);
    if (streaming) {
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) stream(p + k * width<T>, v[k]);
    } else {
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) store(p + k * width<T>, v[k]);
    }
  }

  /// Asks for the record `distance` registers further on in memory; distance 0 asks for nothing.
  QUDA_DEVICE void prefetch(const Place &n, int i, int distance) const
  {
    const char *p = reinterpret_cast<const char *>(at(n, i) + distance * record_stride);
    QUDA_UNROLL
    for (int k = 0; k < reals * register_bytes; k += line_bytes) prefetch_line(p + k);
  }

  /// One real of one lane: for packing and reordering, which alone look at lanes.
  QUDA_DEVICE T &scalar(const Place &n, int i, int k, int lane) const { return at(n, i)[k * width<T> + lane]; }
};

/// Up to `most` records to be asked for half by half: many lines asked for at once keep the loads beside them waiting.
template <class T, int reals, int most> class PrefetchList
{
public:
  /// The record `distance` registers further on in memory.
  QUDA_DEVICE void add(const Storage<T, reals> &storage, const Place &n, int i, int distance)
  {
    record_[added_++] = reinterpret_cast<const char *>(storage.at(n, i) + distance * storage.record_stride);
  }

  /// Asks for the next half, while there is one.
  QUDA_DEVICE void next()
  {
    constexpr int half = reals * register_bytes / 2;
    if (asked_ == 2 * added_) return;
    const char *p = record_[asked_ / 2] + asked_ % 2 * half;
    asked_++;
    QUDA_UNROLL
    for (int k = 0; k < half; k += line_bytes) prefetch_line_near(p + k);
  }

private:
  const char *record_[most];
  int added_ = 0;
  int asked_ = 0;
};

/// Sets a flag that any thread of a launch may set.
QUDA_DEVICE void set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

/// Record of one lane in a field whose shape is known at run time; real k is p[k * step].
template <class T> struct LaneRecord {
  T *p;
  long long step;
  QUDA_DEVICE T &operator[](int k) const { return p[k * step]; }
};

/// Record of reals one after the other, at p.
template <class T> QUDA_DEVICE LaneRecord<T> consecutive_record(T *p) { return {p, 1}; }

/// lane counts over all parts of a site.
template <class T> QUDA_DEVICE LaneRecord<T> lane_record(const FieldView &f, unsigned site, int lane, int parity, int i)
{
  const int W = f.lattice.width;
  const unsigned long long record = static_cast<unsigned long long>(site) * f.lattice.parts + lane / W;
  T *p = static_cast<T *>(f.data) + parity * f.parity_stride;
  return {p + record * f.record_stride + i * f.inner_stride + lane % W, W};
}

/// One register's record in a field whose shape is known at run time.
template <class T> struct RegisterRecord {
  T *p;
  QUDA_DEVICE Real<T> get(int k) const { return load(p + k * width<T>); }
  QUDA_DEVICE void put(int k, Real<T> a, bool streaming) const
  {
    if (streaming)
      stream(p + k * width<T>, a);
    else
      store(p + k * width<T>, a);
  }
};

/// Where the scale of a record of half precision stands; null in fields without.
QUDA_DEVICE float *scales_of(const FieldView &f, short *record)
{
  return f.scaled ? reinterpret_cast<float *>(record + f.reals * width<short>) : nullptr;
}

QUDA_DEVICE float *lane_scale(const FieldView &f, unsigned site, int lane, int parity, int i)
{
  const int W = f.lattice.width;
  short *p = lane_record<short>(f, site, lane, parity, i).p - lane % W;
  float *scales = scales_of(f, p);
  return scales ? scales + lane % W : nullptr;
}

/// One register's record of half precision: the integers, and what they are multiplied by.
struct FixedRecord {
  short *p;
  float *scales;

  QUDA_DEVICE Real<float> get(int k) const { return load_fixed(p + k * width<short>); }
  QUDA_DEVICE void put(int k, Real<float> a, bool streaming) const
  {
    if (streaming)
      stream_fixed(p + k * width<short>, a);
    else
      store_fixed(p + k * width<short>, a);
  }
  QUDA_DEVICE Real<float> scale() const { return load(scales); }
  QUDA_DEVICE void put_scale(Real<float> a, bool streaming) const
  {
    if (streaming)
      stream(scales, a);
    else
      store(scales, a);
  }
};

QUDA_DEVICE FixedRecord fixed_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  short *p = static_cast<short *>(f.data) + parity * f.parity_stride + x_cb * f.record_stride + i * f.inner_stride;
  return {p, scales_of(f, p)};
}

template <class T> QUDA_DEVICE RegisterRecord<T> register_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  T *p = static_cast<T *>(f.data) + parity * f.parity_stride;
  return {p + x_cb * f.record_stride + i * f.inner_stride};
}

/// Fields of one shape and no border in the order of memory, for kernels that know no places. A point is an inner entry
/// of a register of sites, its record `reals` registers; a row is a parity.
template <class T> struct Streams {
  static constexpr int together = 2; // reals that a kernel loads before it works on them
  unsigned points, rows;
  int reals;
  long long row_stride;

  QUDA_DEVICE Streams(const FieldView &f, int parities)
      : points(f.lattice.volume_cb * f.lattice.parts * f.inner)
      , rows(parities)
      , reals(f.reals)
      , row_stride(f.parity_stride)
  {
  }

  QUDA_DEVICE T *at(void *data, unsigned point, unsigned row) const
  {
    return static_cast<T *>(data) + row * row_stride + static_cast<long long>(point) * (reals * width<T>);
  }

  template <int n> QUDA_DEVICE void get(const T *record, int k, Real<T> (&v)[n]) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j++) v[j] = load(record + (k + j) * width<T>);
  }

  template <int n> QUDA_DEVICE void put(T *record, int k, const Real<T> (&v)[n], bool streaming) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j++)
      if (streaming)
        stream(record + (k + j) * width<T>, v[j]);
      else
        store(record + (k + j) * width<T>, v[j]);
  }

  /// Asks for the n reals from k of the point `distance` further on in memory.
  template <int n> QUDA_DEVICE void prefetch(const T *record, int k, int distance) const
  {
    const char *p = reinterpret_cast<const char *>(record + (static_cast<long long>(distance) * reals + k) * width<T>);
    QUDA_UNROLL
    for (int b = 0; b < n * register_bytes; b += line_bytes) prefetch_line(p + b);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
