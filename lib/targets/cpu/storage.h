#pragma once
/// Native storage of the lane target, as core/view.h describes it. A site of a field is a pointer, loaded
/// at use, so that registers hold only operands of the current arithmetic.

#include "core/number.h"
#include "core/view.h"
#include "targets/cpu/team.h"
#include "targets/shared/fixed_point.h"
#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The record at `down`, with the lanes of the record at `up` that come from there: `reals` registers of stored
/// numbers, and their scales if any. In memory that stays valid for some records more (cpu::next_record).
template <class S> QUDA_OUTLINE S *merged(const S *down, const S *up, const LaneShift &shift, int reals, bool scaled)
{
  constexpr int W = width<S>, register_size = W * static_cast<int>(sizeof(S));
  using Choice = typename register_of<int, W>::type;
  using Lanes = typename register_of<typename integer_of<sizeof(S)>::type, W>::type;
  Choice number {};
  for (int l = 0; l < W; l++) number[l] = l;
  const Choice chosen = -(((Choice {} + static_cast<int>(shift.up)) >> number) & 1);
  const Lanes from_up = __builtin_convertvector(chosen, Lanes);
  const int scales = scaled ? 4 * W : 0;
  char *const to = cpu::next_record(reals * register_size + scales);
  const auto put = [&](auto from_up, int at) QUDA_LAMBDA {
    decltype(from_up) a, b;
    __builtin_memcpy(&a, reinterpret_cast<const char *>(down) + at, sizeof(a));
    __builtin_memcpy(&b, reinterpret_cast<const char *>(up) + at, sizeof(b));
    a = (a & ~from_up) | (b & from_up);
    __builtin_memcpy(to + at, &a, sizeof(a));
  };
  for (int k = 0; k < reals; k++) put(from_up, k * register_size);
  if (scaled) put(chosen, reals * register_size);
  return reinterpret_cast<S *>(to);
}

/// A register from an array of its lanes, aligned as a register.
template <class T> QUDA_DEVICE Real<T> load_array(const T (&lanes)[width<T>]) { return load(lanes); }

/// The scales of a register's record follow its integers, not always aligned as registers are.
QUDA_DEVICE void put_scales(float *p, Real<float> a, bool streaming)
{
  if (streaming && reinterpret_cast<unsigned long long>(p) % register_bytes == 0)
    stream(p, a);
  else
    store_unaligned(p, a);
}

/// The `reals` numbers of one inner entry at one place, loaded at use: record[k] is scale() raw(k). A kernel
/// that sums products of raw numbers multiplies the sum by the scale.
template <class S, int reals, bool scaled = is_fixed<S>> struct Record {
  const S *p;

  QUDA_DEVICE Real<S> raw(int k) const { return load(p + k * width<S>); }
  QUDA_DEVICE Real<S> operator[](int k) const { return scale() * raw(k); }

  /// Unit if numbers are stored as they are.
  QUDA_DEVICE auto scale() const
  {
    if constexpr (!is_fixed<S>)
      return Unit {};
    else if constexpr (scaled)
      return load_unaligned(reinterpret_cast<const float *>(p + reals * width<S>));
    else
      return Real<S>(1.0f / fixed_one<S>);
  }

  /// The same numbers, loaded again: a compiler that kept them in registers for a second use would
  /// spill them to the stack.
  QUDA_DEVICE Record again() const
  {
    const S *same = p;
    __asm__("" : "+r"(same));
    return {same};
  }
};

/// scaled: fixed-point records have a scale of their own (spinors); false: the fixed scale (links).
template <class S, int reals, bool scaled = is_fixed<S>> struct Storage {
  /// Size of one register's record, in units of S.
  static constexpr int record = reals * width<S> + (scaled ? width<S> * int(sizeof(float)) / int(sizeof(S)) : 0);
  static constexpr int record_bytes = record * int(sizeof(S));
  S *data;
  long long parity_stride;
  long long record_stride;
  long long inner_stride;

  QUDA_DEVICE Storage() = default;
  QUDA_DEVICE explicit Storage(const FieldView &f)
      : data(static_cast<S *>(f.data))
      , parity_stride(f.parity_stride)
      , record_stride(f.record_stride)
      , inner_stride(f.inner_stride)
  {
  }

  /// A halo slot of `sites` face sites.
  QUDA_DEVICE Storage(void *slot, const LatticeView &, int inner, unsigned /* sites */)
      : data(static_cast<S *>(slot))
      , parity_stride(0)
      , record_stride(static_cast<long long>(inner) * record)
      , inner_stride(record)
  {
  }

  QUDA_DEVICE S *at(const Place &n, int i) const
  {
    return data + n.parity * parity_stride + n.record * record_stride + i * inner_stride;
  }

  QUDA_DEVICE Record<S, reals, scaled> read(const Place &n, int i) const
  {
    const S *p = at(n, i);
    if (__builtin_expect(n.shift != nullptr, 0) && n.shift->skewed)
      p = merged(p, p + (static_cast<long long>(n.up) - n.record) * record_stride, *n.shift, reals, scaled);
    return {p};
  }

  QUDA_DEVICE void write(const Place &n, int i, const Real<S> (&v)[reals], bool streaming = false) const
  {
    S *p = at(n, i);
    if constexpr (scaled) {
      RecordScale<S, Real<S>> of_record;
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) of_record.add(v[k]);
      put_scales(reinterpret_cast<float *>(p + reals * width<S>), of_record.scale(), streaming);
      put(p, of_record.factor(), v, streaming);
    } else if constexpr (is_fixed<S>) {
      put(p, Real<S>(float(fixed_one<S>)), v, streaming);
    } else {
      put(p, Unit {}, v, streaming);
    }
  }

  /// Prefetches the record `distance` registers further on in memory; distance 0 does nothing.
  QUDA_DEVICE void prefetch(const Place &n, int i, int distance) const
  {
    const char *p = reinterpret_cast<const char *>(at(n, i) + distance * record_stride);
    __asm__ volatile(""); // otherwise calls of a function that only prefetches are removed as calls without effect
    QUDA_UNROLL
    for (int k = 0; k < record_bytes; k += line_bytes) prefetch_line(p + k);
  }

  /// One real of one lane: only for packing and reordering, which look at lanes.
  QUDA_DEVICE S &scalar(const Place &n, int i, int k, int lane) const { return at(n, i)[k * width<S> + lane]; }

private:
  template <class Factor> QUDA_DEVICE static void put(S *p, Factor factor, const Real<S> (&v)[reals], bool streaming)
  {
    if (streaming) {
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) stream(p + k * width<S>, factor * v[k]);
    } else {
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) store(p + k * width<S>, factor * v[k]);
    }
  }
};

/// Up to `most` records to prefetch half by half: many lines requested at once delay the loads among them.
template <class S, int reals, int most> class PrefetchList
{
public:
  /// The record `distance` registers further on in memory.
  QUDA_DEVICE void add(const Storage<S, reals, false> &storage, const Place &n, int i, int distance)
  {
    record_[added_++] = reinterpret_cast<const char *>(storage.at(n, i) + distance * storage.record_stride);
  }

  /// The next of `turns` turns: prefetches its share, so that the last one completes the list.
  QUDA_DEVICE void next_of(int turns)
  {
    turn_++;
    while (asked_ < 2 * added_ && (asked_ + 1) * turns <= turn_ * 2 * added_) {
      constexpr int half = Storage<S, reals, false>::record_bytes / 2;
      const char *p = record_[asked_ / 2] + asked_ % 2 * half;
      QUDA_UNROLL
      for (int k = 0; k < half; k += line_bytes) prefetch_line_near(p + k);
      asked_++;
    }
  }

private:
  const char *record_[most];
  int added_ = 0;
  int asked_ = 0; // halves
  int turn_ = 0;
};

/// Copies of memory as it is, a register at a time.
constexpr int moved_bytes = register_bytes;
QUDA_DEVICE void move_bytes(char *to, const char *from, bool streaming)
{
  const Real<float> a = load(reinterpret_cast<const float *>(from));
  if (streaming)
    stream(reinterpret_cast<float *>(to), a);
  else
    store(reinterpret_cast<float *>(to), a);
}

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

/// Place of a fixed-point record's scales; null in fields of the fixed scale.
template <class S> QUDA_DEVICE float *scales_of(const FieldView &f, S *record)
{
  return f.scaled ? reinterpret_cast<float *>(record + f.reals * width<S>) : nullptr;
}

template <class S> QUDA_DEVICE float *lane_scale(const FieldView &f, unsigned site, int lane, int parity, int i)
{
  const int W = f.lattice.width;
  S *p = lane_record<S>(f, site, lane, parity, i).p - lane % W;
  float *scales = scales_of(f, p);
  return scales ? scales + lane % W : nullptr;
}

/// One register's record in a field whose shape is known at run time: numbers, or integers as they are stored.
template <class S> struct RegisterRecord {
  S *p;
  float *scales; // of fixed-point records of their own scale, else null

  QUDA_DEVICE Real<S> get(int k) const { return load(p + k * width<S>); }
  QUDA_DEVICE void put(int k, Real<S> a, bool streaming) const
  {
    if (streaming)
      stream(p + k * width<S>, a);
    else
      store(p + k * width<S>, a);
  }
  QUDA_DEVICE Real<float> scale() const { return load_unaligned(scales); }
  QUDA_DEVICE void put_scale(Real<float> a, bool streaming) const { put_scales(scales, a, streaming); }
};

template <class S> QUDA_DEVICE RegisterRecord<S> register_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  S *p = static_cast<S *>(f.data) + parity * f.parity_stride + x_cb * f.record_stride + i * f.inner_stride;
  return {p, is_fixed<S> ? scales_of(f, p) : nullptr};
}

/// The same at a place, read-only.
template <class S> QUDA_DEVICE RegisterRecord<S> register_record(const FieldView &f, const Place &n, int i)
{
  const RegisterRecord<S> at = register_record<S>(f, n.record, n.parity, i);
  if (!n.shift || !n.shift->skewed) return at;
  const RegisterRecord<S> up = register_record<S>(f, n.up, n.parity, i);
  S *p = merged(at.p, up.p, *n.shift, f.reals, at.scales != nullptr);
  return {p, at.scales ? scales_of(f, p) : nullptr};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
