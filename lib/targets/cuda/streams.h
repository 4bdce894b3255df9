#pragma once
/// Records of fields in the order of memory (core/stream_view.h), on scalar targets.

#include "core/stream_view.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The function names of the lane target; a register is a number.
QUDA_DEVICE double widen(float a, int) { return static_cast<double>(a); }
QUDA_DEVICE float narrow(double a, double) { return static_cast<float>(a); }

/// Raises *bits to the bits of a magnitude, as a double; other threads may do so too.
QUDA_DEVICE void raise_bits(long long *bits, double magnitude, int)
{
  long long here;
  __builtin_memcpy(&here, &magnitude, 8);
  here &= ~0ULL >> 1; // for a NaN with a sign
#if defined(__CUDA_ARCH__)
  if (*bits < here) atomicMax(bits, here);
#else
  if (*bits < here) *bits = here;
#endif
}

template <class T> struct Streams {
  static constexpr int together = 8; // reals that a kernel loads before it works on them
  static constexpr int full = 16 / static_cast<int>(sizeof(T));
  unsigned points, layers;
  long long inner_stride;
  int reals, vector;

  QUDA_DEVICE explicit Streams(const StreamView &view)
      : points(view.points)
      , layers(view.layers)
      , inner_stride(view.inner_stride)
      , reals(view.reals)
      , vector(view.vector)
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
    return parity * field.parity_stride + entry * inner_stride + static_cast<long long>(point) * vector;
  }

  /// Factor of a record's numbers: get() and put() move them as they are stored.
  QUDA_DEVICE ScaleOf<T> scale(const T *record, unsigned point) const
  {
    return scale_at<T, true>(is_fixed<T> ? scale_place(record, point) : nullptr);
  }
  QUDA_DEVICE void put_scale(T *record, unsigned point, float a, bool) const { *scale_place(record, point) = a; }

  /// The vector that holds real k.
  template <int N> QUDA_DEVICE Vector<T, N> *vector_of(const T *record, int k) const
  {
    const T *p = record + static_cast<long long>(k / vector) * points * vector + k % vector;
    return reinterpret_cast<Vector<T, N> *>(const_cast<T *>(p));
  }

  /// Whole vectors if the field has them and n is a multiple, pairs otherwise. k is a multiple of n, or n is 2.
  template <int n> QUDA_DEVICE void get(const T *record, int k, Real<T> (&v)[n]) const
  {
    if (n % full == 0 && vector == full)
      get_by<n % full == 0 ? full : 2>(record, k, v);
    else
      get_by<2>(record, k, v);
  }

  template <int n> QUDA_DEVICE void put(T *record, int k, const Real<T> (&v)[n], bool) const
  {
    if (n % full == 0 && vector == full)
      put_by<n % full == 0 ? full : 2>(record, k, v);
    else
      put_by<2>(record, k, v);
  }

  template <int n> QUDA_DEVICE void prefetch(const T *, int, long long) const {}

private:
  /// The scales of an inner entry follow its reals.
  QUDA_DEVICE float *scale_place(const T *record, unsigned point) const
  {
    const T *const first = record - static_cast<long long>(point) * vector;
    return reinterpret_cast<float *>(const_cast<T *>(first) + static_cast<long long>(reals) * points) + point;
  }

  template <int N, int n> QUDA_DEVICE void get_by(const T *record, int k, Real<T> (&v)[n]) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j += N) {
      const Vector<T, N> w = *vector_of<N>(record, k + j);
      QUDA_UNROLL
      for (int m = 0; m < N; m++) v[j + m] = raw_number(w.v[m]);
    }
  }

  template <int N, int n> QUDA_DEVICE void put_by(T *record, int k, const Real<T> (&v)[n]) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j += N) {
      Vector<T, N> w;
      QUDA_UNROLL
      for (int m = 0; m < N; m++) w.v[m] = stored_number<T>(v[j + m]);
      *vector_of<N>(record, k + j) = w;
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
