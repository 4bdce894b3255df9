#pragma once
/// Records of fields in the order of memory (core/stream_view.h), on lanes.

#include "core/stream_view.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Raises *bits to the bits of the largest of the first `active` lanes, as a double; other threads may do so too.
template <class T, int W> QUDA_DEVICE void raise_bits(long long *bits, Lane<T, W> magnitude, int active)
{
  long long most = 0;
  for (int l = 0; l < active; l++) {
    const double number = static_cast<double>(magnitude.v[l]);
    long long here;
    __builtin_memcpy(&here, &number, 8);
    most = most < here ? here : most;
  }
  long long so_far = __atomic_load_n(bits, __ATOMIC_RELAXED);
  while (so_far < most && !__atomic_compare_exchange_n(bits, &so_far, most, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

template <class T> struct Streams {
  static constexpr int together = 2; // reals that a kernel loads before it works on them
  unsigned layers;
  long long inner_stride;
  int reals;

  QUDA_DEVICE explicit Streams(const StreamView &view)
      : layers(view.layers)
      , inner_stride(view.inner_stride)
      , reals(view.reals)
  {
  }

  QUDA_DEVICE T *at(const StreamField &field, unsigned point, unsigned row, unsigned group) const
  {
    return static_cast<T *>(field.data) + offset(field, point, row, group);
  }

  /// The same for all fields of these strides.
  QUDA_DEVICE long long offset(const StreamField &field, unsigned point, unsigned row, unsigned group) const
  {
    const unsigned parity = row / layers, entry = group * layers + row - parity * layers;
    return parity * field.parity_stride + entry * inner_stride + point * field.record_stride;
  }

  /// Factor of a record's numbers: get() and put() move them as they are stored.
  QUDA_DEVICE ScaleOf<T> scale(const T *record, unsigned) const
  {
    if constexpr (is_fixed<T>)
      return load_unaligned(scales(record));
    else
      return Unit {};
  }
  QUDA_DEVICE void put_scale(T *record, unsigned, Real<float> a, bool streaming) const
  {
    put_scales(scales(record), a, streaming);
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

  /// Prefetches the n reals from k of the record `ahead` reals further on in memory.
  template <int n> QUDA_DEVICE void prefetch(const T *record, int k, long long ahead) const
  {
    const char *p = reinterpret_cast<const char *>(record + ahead + k * width<T>);
    QUDA_UNROLL
    for (int b = 0; b < n * width<T> * int(sizeof(T)); b += line_bytes) prefetch_line(p + b);
  }

private:
  QUDA_DEVICE float *scales(const T *record) const
  {
    return reinterpret_cast<float *>(const_cast<T *>(record) + reals * width<T>);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
