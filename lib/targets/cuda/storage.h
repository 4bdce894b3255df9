#pragma once
/// Native storage of the scalar targets: [parity][inner][reals / N][site][N], N numbers moved at once, 16 bytes if
/// that divides the reals of a site. A site of a field is loaded whole into registers.

#include "core/number.h"
#include "core/scalar_vector.h"
#include "core/view.h"
#include "targets/shared/fixed_point.h"
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

/// Stores v at p, in device memory, at once. nvcc splits the store of a struct that was just filled into its numbers,
/// each of which touches all memory of the vectors of a warp: hence by hand.
template <class T, int N> QUDA_DEVICE void store_vector(T *p, const Vector<T, N> &v)
{
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8 && N == 2) {
    unsigned long long w[2];
    __builtin_memcpy(w, &v, sizeof v);
    asm volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(p), "l"(w[0]), "l"(w[1]) : "memory");
    return;
  } else if constexpr (sizeof v == 16) {
    unsigned w[4];
    __builtin_memcpy(w, &v, sizeof v);
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
                 : "memory");
    return;
  } else if constexpr (sizeof(T) < 8 && sizeof v == 8) {
    unsigned w[2];
    __builtin_memcpy(w, &v, sizeof v);
    asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(p), "r"(w[0]), "r"(w[1]) : "memory");
    return;
  } else if constexpr (sizeof(T) < 4 && sizeof v == 4) {
    unsigned w;
    __builtin_memcpy(&w, &v, sizeof v);
    asm volatile("st.global.b32 [%0], %1;" ::"l"(p), "r"(w) : "memory");
    return;
  }
#endif
  *reinterpret_cast<Vector<T, N> *>(p) = v;
}

/// Copies of memory as it is, a vector at a time.
constexpr int moved_bytes = 16;
QUDA_DEVICE void move_bytes(char *to, const char *from, bool)
{
  *reinterpret_cast<Vector<float, 4> *>(to) = *reinterpret_cast<const Vector<float, 4> *>(from);
}
QUDA_DEVICE void prefetch_line(const void *) {}

/// Unit, or the factor of the integers of one record.
template <class S, bool scaled> QUDA_DEVICE auto scale_at(const float *p)
{
  if constexpr (!is_fixed<S>)
    return Unit {};
  else if constexpr (scaled)
    return *p;
  else
    return 1.0f / fixed_one<S>;
}

template <class S> QUDA_DEVICE number_of<S> raw_number(const S &s)
{
  if constexpr (is_fixed<S>)
    return static_cast<float>(s.fixed);
  else
    return s;
}

template <class S> QUDA_DEVICE S stored_number(number_of<S> a)
{
  if constexpr (is_fixed<S>)
    return to_fixed<S>(a);
  else
    return a;
}

/// A record in registers: record[k] is scale() raw(k). A kernel that sums products of raw numbers multiplies the sum
/// by the scale.
template <class S, int reals, bool scaled = is_fixed<S>> struct Record {
  number_of<S> v[reals];
  decltype(scale_at<S, scaled>(nullptr)) of_all;

  QUDA_DEVICE number_of<S> raw(int k) const { return v[k]; }
  QUDA_DEVICE number_of<S> operator[](int k) const { return of_all * v[k]; }
  QUDA_DEVICE auto scale() const { return of_all; }
  QUDA_DEVICE const Record &again() const { return *this; }
};

/// The same numbers, each loaded at its use; fixed-point records with the fixed scale only.
template <class S, int N> struct DeferredRecord {
  const S *p;
  unsigned long long step; // between blocks of N reals

  QUDA_DEVICE number_of<S> operator[](int k) const
  {
    return scale_at<S, false>(nullptr) * raw_number(reinterpret_cast<const Vector<S, N> *>(p + k / N * step)->v[k % N]);
  }
};

/// scaled: fixed-point records have a scale of their own (spinors); false: the fixed scale (links).
template <class S, int reals, bool scaled = is_fixed<S>> struct Storage {
  static constexpr int N = scalar_vector(sizeof(S), reals);
  static constexpr int record = reals + (scaled ? static_cast<int>(sizeof(float) / sizeof(S)) : 0); // with its scale
  S *data;
  long long parity_stride;
  unsigned long long sites;
  int inner;

  QUDA_DEVICE Storage() {}
  QUDA_DEVICE explicit Storage(const FieldView &f)
      : data(static_cast<S *>(f.data))
      , parity_stride(f.parity_stride)
      , sites(f.lattice.stored_cb)
      , inner(f.inner)
  {
  }

  /// A halo slot of `face` sites.
  QUDA_DEVICE Storage(void *slot, const LatticeView &, int inner, unsigned face)
      : data(static_cast<S *>(slot))
      , parity_stride(0)
      , sites(face)
      , inner(inner)
  {
  }

  QUDA_DEVICE S *at(const Place &n, int i, int block) const
  {
    return data + n.parity * parity_stride + first(i) + (static_cast<unsigned long long>(block) * sites + n.record) * N;
  }

  QUDA_DEVICE Record<S, reals, scaled> read(const Place &n, int i) const
  {
    Record<S, reals, scaled> r;
    QUDA_UNROLL
    for (int b = 0; b < reals / N; b++) {
      const Vector<S, N> w = *reinterpret_cast<const Vector<S, N> *>(at(n, i, b));
      QUDA_UNROLL
      for (int k = 0; k < N; k++) r.v[b * N + k] = raw_number(w.v[k]);
    }
    r.of_all = scale_at<S, scaled>(scaled ? scale_place(n, i) : nullptr);
    return r;
  }

  QUDA_DEVICE DeferredRecord<S, N> deferred(const Place &n, int i) const
  {
    static_assert(!scaled, "numbers loaded one by one have the fixed scale");
    return {at(n, i, 0), sites * N};
  }

  QUDA_DEVICE void write(const Place &n, int i, const number_of<S> (&v)[reals], bool = false) const
  {
    if constexpr (scaled) {
      RecordScale<S, float> of_record;
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) of_record.add(v[k]);
      *scale_place(n, i) = of_record.scale();
      put(n, i, of_record.factor(), v);
    } else if constexpr (is_fixed<S>) {
      put(n, i, float(fixed_one<S>), v);
    } else {
      put(n, i, Unit {}, v);
    }
  }

  QUDA_DEVICE void prefetch(const Place &, int, int) const {}

  QUDA_DEVICE S &scalar(const Place &n, int i, int k, int) const { return *(at(n, i, k / N) + k % N); }

private:
  /// First record of inner entry i in its parity; its scales follow its integers.
  QUDA_DEVICE unsigned long long first(int i) const { return static_cast<unsigned long long>(i) * record * sites; }

  QUDA_DEVICE float *scale_place(const Place &n, int i) const
  {
    return reinterpret_cast<float *>(data + n.parity * parity_stride + first(i) + reals * sites) + n.record;
  }

  template <class Factor>
  QUDA_DEVICE void put(const Place &n, int i, Factor factor, const number_of<S> (&v)[reals]) const
  {
    QUDA_UNROLL
    for (int b = 0; b < reals / N; b++) {
      Vector<S, N> w;
      QUDA_UNROLL
      for (int k = 0; k < N; k++) w.v[k] = stored_number<S>(factor * v[b * N + k]);
      store_vector(at(n, i, b), w);
    }
  }
};

/// Empty: scalar targets do not prefetch.
template <class S, int reals, int most> struct PrefetchList {
  QUDA_DEVICE void add(const Storage<S, reals, false> &, const Place &, int, int) {}
  QUDA_DEVICE void next_of(int) {}
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

/// Place of the scale of a site and inner entry in fixed point; null in fields of the fixed scale.
template <class S> QUDA_DEVICE float *lane_scale(const FieldView &f, unsigned long long site, int, int parity, int i)
{
  if (!f.scaled) return nullptr;
  const unsigned long long sites = f.lattice.stored_cb;
  S *p = static_cast<S *>(f.data) + parity * f.parity_stride + i * f.inner_stride;
  return reinterpret_cast<float *>(p + sites * f.reals) + site;
}

/// One site's record in a field whose shape is known at run time: numbers, or integers as they are stored.
template <class S> struct RegisterRecord {
  LaneRecord<S> r;
  float *scales; // of fixed-point records of their own scale, else null

  QUDA_DEVICE number_of<S> get(int k) const { return raw_number(r[k]); }
  QUDA_DEVICE void put(int k, number_of<S> a, bool) const { r[k] = stored_number<S>(a); }
  QUDA_DEVICE float scale() const { return *scales; }
  QUDA_DEVICE void put_scale(float a, bool) const { *scales = a; }
};

template <class S> QUDA_DEVICE RegisterRecord<S> register_record(const FieldView &f, unsigned x_cb, int parity, int i)
{
  return {lane_record<S>(f, x_cb, 0, parity, i), is_fixed<S> ? lane_scale<S>(f, x_cb, 0, parity, i) : nullptr};
}

/// The same at a place.
template <class S> QUDA_DEVICE RegisterRecord<S> register_record(const FieldView &f, const Place &n, int i)
{
  return register_record<S>(f, static_cast<unsigned>(n.record), n.parity, i);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
