#pragma once
/// Native storage of the scalar targets: [parity][inner][reals / N][site][N], N numbers moved at once, 16 bytes where
/// that divides the reals of a site. A site of a field is loaded whole into registers.

#include "core/view.h"
#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

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
  T *p = static_cast<T *>(f.data) + parity * f.parity_stride;
  const unsigned long long block = static_cast<unsigned long long>(i) * (f.reals / f.vector);
  return {p + (block * sites + site) * f.vector, static_cast<long long>(sites) * f.vector, f.vector};
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

} // namespace quda::QUDA_TARGET_NAMESPACE
