#pragma once
/// Native storage of the scalar targets: [parity][inner][reals / N][site][N], N numbers moved at once, 16 bytes where
/// that divides the reals of a site. A site of a field is loaded whole into registers.

#include "core/view.h"
#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Sets a flag that any thread of a launch may set.
QUDA_DEVICE void set_flag(int *flag)
{
#if defined(__CUDA_ARCH__)
  atomicExch(flag, 1);
#else
  __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#endif
}

template <class T> QUDA_DEVICE T load_array(const T (&lanes)[1]) { return lanes[0]; }

template <class T, int N> struct alignas(sizeof(T) * N) Vector {
  T v[N];
};

template <class T, int reals> struct Record {
  T v[reals];
  QUDA_DEVICE T operator[](int k) const { return v[k]; }
  QUDA_DEVICE const Record &again() const { return *this; }
};

/// The same numbers, each loaded where it is used.
template <class T, int N> struct DeferredRecord {
  const T *p;
  unsigned long long step; // between blocks of N reals

  QUDA_DEVICE T operator[](int k) const { return reinterpret_cast<const Vector<T, N> *>(p + k / N * step)->v[k % N]; }
};

template <class T, int reals> struct Storage {
  static constexpr int full = 16 / static_cast<int>(sizeof(T));
  static constexpr int N = reals % full == 0 ? full : 2;
  T *data;
  long long parity_stride;
  unsigned long long sites;
  int inner;

  QUDA_DEVICE Storage() {}
  QUDA_DEVICE explicit Storage(const FieldView &f)
      : data(static_cast<T *>(f.data))
      , parity_stride(f.parity_stride)
      , sites(f.lattice.stored_cb)
      , inner(f.inner)
  {
  }

  /// A halo slot of `face` sites.
  QUDA_DEVICE Storage(void *slot, const LatticeView &, int inner, unsigned face)
      : data(static_cast<T *>(slot))
      , parity_stride(0)
      , sites(face)
      , inner(inner)
  {
  }

  QUDA_DEVICE T *at(const Place &n, int i, int block) const
  {
    return data + n.parity * parity_stride +
           ((static_cast<unsigned long long>(i) * (reals / N) + block) * sites + n.record) * N;
  }

  QUDA_DEVICE Record<T, reals> read(const Place &n, int i) const
  {
    Record<T, reals> r;
    QUDA_UNROLL
    for (int b = 0; b < reals / N; b++) {
      const Vector<T, N> w = *reinterpret_cast<const Vector<T, N> *>(at(n, i, b));
      QUDA_UNROLL
      for (int k = 0; k < N; k++) r.v[b * N + k] = w.v[k];
    }
    return r;
  }

  QUDA_DEVICE DeferredRecord<T, N> deferred(const Place &n, int i) const { return {at(n, i, 0), sites * N}; }

  QUDA_DEVICE void write(const Place &n, int i, const T (&v)[reals], bool = false) const
  {
    QUDA_UNROLL
    for (int b = 0; b < reals / N; b++) {
      Vector<T, N> w;
      QUDA_UNROLL
      for (int k = 0; k < N; k++) w.v[k] = v[b * N + k];
      *reinterpret_cast<Vector<T, N> *>(at(n, i, b)) = w;
    }
  }

  QUDA_DEVICE void prefetch(const Place &, int, int) const {}

  QUDA_DEVICE T &scalar(const Place &n, int i, int k, int) const { return *(at(n, i, k / N) + k % N); }
};

/// Nothing is asked for ahead.
template <class T, int reals, int most> struct PrefetchList {
  QUDA_DEVICE void add(const Storage<T, reals> &, const Place &, int, int) {}
  QUDA_DEVICE void next() {}
};

/// Record of one site in a field whose shape is known at run time.
template <class T> struct LaneRecord {
  T *p;
  long long step; // between blocks of `vector` reals
  int vector;
  QUDA_DEVICE T &operator[](int k) const { return p[k / vector * step + k % vector]; }
};

/// Record of reals one after the other, at p.
template <class T> QUDA_DEVICE LaneRecord<T> consecutive_record(T *p) { return {p, 1, 1}; }

template <class T>
QUDA_DEVICE LaneRecord<T> lane_record(const FieldView &f, unsigned long long site, int, int parity, int i)
{
  const unsigned long long sites = f.lattice.stored_cb;
  T *p = static_cast<T *>(f.data) + parity * f.parity_stride + i * f.inner_stride;
  return {p + site * f.vector, static_cast<long long>(sites) * f.vector, f.vector};
}

/// Where the scale of a site and inner entry of half precision stands; null in fields without.
QUDA_DEVICE float *lane_scale(const FieldView &f, unsigned long long site, int, int parity, int i)
{
  if (!f.scaled) return nullptr;
  const unsigned long long sites = f.lattice.stored_cb;
  short *p = static_cast<short *>(f.data) + parity * f.parity_stride + i * f.inner_stride;
  return reinterpret_cast<float *>(p + sites * f.reals) + site;
}

/// One site's record of half precision: the integers, and what they are multiplied by.
struct FixedRecord {
  LaneRecord<short> r;
  float *scales;

  QUDA_DEVICE float get(int k) const { return load_fixed(&r[k]); }
  QUDA_DEVICE void put(int k, float a, bool) const { store_fixed(&r[k], a); }
  QUDA_DEVICE float scale() const { return *scales; }
  QUDA_DEVICE void put_scale(float a, bool) const { *scales = a; }
};

QUDA_DEVICE FixedRecord fixed_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  return {lane_record<short>(f, x_cb, 0, parity, i), lane_scale(f, x_cb, 0, parity, i)};
}

/// One site's record in a field whose shape is known at run time.
template <class T> struct RegisterRecord {
  LaneRecord<T> r;
  QUDA_DEVICE T get(int k) const { return r[k]; }
  QUDA_DEVICE void put(int k, T a, bool) const { r[k] = a; }
};

template <class T> QUDA_DEVICE RegisterRecord<T> register_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  return {lane_record<T>(f, x_cb, 0, parity, i)};
}

/// Fields of one shape and no border in the order of memory, for kernels that know no places. A point is a site, its
/// record the `reals` numbers of one inner entry; a row is an inner entry of a parity.
template <class T> struct Streams {
  static constexpr int together = 8; // reals that a kernel loads before it works on them
  static constexpr int full = 16 / static_cast<int>(sizeof(T));
  unsigned points, rows;
  int reals, vector, inner;
  long long parity_stride;

  QUDA_DEVICE Streams(const FieldView &f, int parities)
      : points(f.lattice.stored_cb)
      , rows(parities * f.inner)
      , reals(f.reals)
      , vector(f.vector)
      , inner(f.inner)
      , parity_stride(f.parity_stride)
  {
  }

  QUDA_DEVICE T *at(void *data, unsigned point, unsigned row) const
  {
    const unsigned i = row % inner;
    return static_cast<T *>(data) + row / inner * parity_stride + static_cast<long long>(i) * reals * points +
           static_cast<long long>(point) * vector;
  }

  /// The vector that holds real k.
  template <int N> QUDA_DEVICE Vector<T, N> *vector_of(const T *record, int k) const
  {
    const T *p = record + static_cast<long long>(k / vector) * points * vector + k % vector;
    return reinterpret_cast<Vector<T, N> *>(const_cast<T *>(p));
  }

  /// Whole vectors where the field has them and n is made of them, pairs elsewhere. k is a multiple of n, or n is 2.
  template <int n> QUDA_DEVICE void get(const T *record, int k, T (&v)[n]) const
  {
    if (n % full == 0 && vector == full)
      get_by<n % full == 0 ? full : 2>(record, k, v);
    else
      get_by<2>(record, k, v);
  }

  template <int n> QUDA_DEVICE void put(T *record, int k, const T (&v)[n], bool) const
  {
    if (n % full == 0 && vector == full)
      put_by<n % full == 0 ? full : 2>(record, k, v);
    else
      put_by<2>(record, k, v);
  }

  template <int n> QUDA_DEVICE void prefetch(const T *, int, int) const {}

private:
  template <int N, int n> QUDA_DEVICE void get_by(const T *record, int k, T (&v)[n]) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j += N) {
      const Vector<T, N> w = *vector_of<N>(record, k + j);
      QUDA_UNROLL
      for (int m = 0; m < N; m++) v[j + m] = w.v[m];
    }
  }

  template <int N, int n> QUDA_DEVICE void put_by(T *record, int k, const T (&v)[n]) const
  {
    QUDA_UNROLL
    for (int j = 0; j < n; j += N) {
      Vector<T, N> w;
      QUDA_UNROLL
      for (int m = 0; m < N; m++) w.v[m] = v[j + m];
      *vector_of<N>(record, k + j) = w;
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
