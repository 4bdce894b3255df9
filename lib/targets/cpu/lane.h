#pragma once
/// Lanes of the CPU target: a register holds the same number of as many lattice sites, real and imaginary parts in
/// registers of their own. Multiply-adds are spelled out (fma, fnma, fms), so that no compiler flag decides about
/// rounding; sums and products of single operations are those of IEEE arithmetic.

#include <immintrin.h>

#define QUDA_DEVICE __attribute__((always_inline)) inline
#define QUDA_OUTLINE __attribute__((noinline)) // a function of its own: registers are dealt out within it alone
#define QUDA_LAMBDA __attribute__((always_inline))
#if defined(__clang__)
#define QUDA_UNROLL _Pragma("unroll")
#else
#define QUDA_UNROLL _Pragma("GCC unroll 32")
#endif

namespace quda::QUDA_TARGET_NAMESPACE
{

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#else
constexpr int register_bytes = 32;
#endif

template <class T> constexpr int width = register_bytes / static_cast<int>(sizeof(T));
/// Half precision (core/view.h) is worked on as floats.
template <> inline constexpr int width<short> = register_bytes / static_cast<int>(sizeof(float));

template <int bytes> struct integer_of;
template <> struct integer_of<4> {
  using type = int;
};
template <> struct integer_of<8> {
  using type = long long;
};

/// The register type. A struct of its own: overloads on a dependent vector_size of the class at hand collide in GCC.
template <class T, int W> struct register_of {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};

template <class T, int W> struct LaneMask {
  using V = typename register_of<typename integer_of<sizeof(T)>::type, W>::type;
  V v; // all bits set: yes

  QUDA_DEVICE friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
  QUDA_DEVICE friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.v | b.v}; }
  QUDA_DEVICE friend LaneMask operator!(LaneMask a) { return {~a.v}; }
};

template <class T, int W> struct Lane {
  using V = typename register_of<T, W>::type;
  using value_type = T;
  using Mask = LaneMask<T, W>;
  static constexpr int lanes = W;
  V v;

  Lane() = default;
  QUDA_DEVICE Lane(V a)
      : v(a)
  {
  }
  QUDA_DEVICE Lane(T a)
      : v(a - V {})
  {
  }

  QUDA_DEVICE friend Lane operator+(Lane a, Lane b) { return Lane(a.v + b.v); }
  QUDA_DEVICE friend Lane operator-(Lane a, Lane b) { return Lane(a.v - b.v); }
  QUDA_DEVICE friend Lane operator*(Lane a, Lane b) { return Lane(a.v * b.v); }
  QUDA_DEVICE friend Lane operator/(Lane a, Lane b) { return Lane(a.v / b.v); }
  QUDA_DEVICE friend Lane operator-(Lane a) { return Lane(-a.v); }
  QUDA_DEVICE Lane &operator+=(Lane a)
  {
    v += a.v;
    return *this;
  }
  QUDA_DEVICE Lane &operator-=(Lane a)
  {
    v -= a.v;
    return *this;
  }
  QUDA_DEVICE friend Mask operator<(Lane a, Lane b) { return {(typename Mask::V)(a.v < b.v)}; }
  QUDA_DEVICE friend Mask operator<=(Lane a, Lane b) { return {(typename Mask::V)(a.v <= b.v)}; }
  QUDA_DEVICE friend Mask operator>(Lane a, Lane b) { return {(typename Mask::V)(a.v > b.v)}; }
  QUDA_DEVICE friend Mask operator>=(Lane a, Lane b) { return {(typename Mask::V)(a.v >= b.v)}; }
  QUDA_DEVICE friend Mask operator==(Lane a, Lane b) { return {(typename Mask::V)(a.v == b.v)}; }
};

/// The arithmetic type of a kernel whose fields hold T.
template <class T> using Real = Lane<T, width<T>>;

/// Lane by lane: where the mask is set a, else b.
template <class T, int W> QUDA_DEVICE Lane<T, W> select(LaneMask<T, W> m, Lane<T, W> a, Lane<T, W> b)
{
  using V = typename LaneMask<T, W>::V;
  return Lane<T, W>((typename Lane<T, W>::V)((m.v & (V)a.v) | (~m.v & (V)b.v)));
}

#if defined(__AVX512F__)

QUDA_DEVICE Real<float> fma(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm512_fmadd_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<float> fnma(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm512_fnmadd_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<float> fms(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm512_fmsub_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fma(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm512_fmadd_pd(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fnma(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm512_fnmadd_pd(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fms(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm512_fmsub_pd(a.v, b.v, c.v));
}

QUDA_DEVICE Real<float> sqrt(Real<float> a) { return Real<float>(_mm512_sqrt_ps(a.v)); }
QUDA_DEVICE Real<double> sqrt(Real<double> a) { return Real<double>(_mm512_sqrt_pd(a.v)); }

QUDA_DEVICE Real<float> load(const float *p) { return Real<float>(_mm512_load_ps(p)); }
QUDA_DEVICE Real<double> load(const double *p) { return Real<double>(_mm512_load_pd(p)); }
QUDA_DEVICE void store(float *p, Real<float> a) { _mm512_store_ps(p, a.v); }
QUDA_DEVICE void store(double *p, Real<double> a) { _mm512_store_pd(p, a.v); }
QUDA_DEVICE void stream(float *p, Real<float> a) { _mm512_stream_ps(p, a.v); }
QUDA_DEVICE void stream(double *p, Real<double> a) { _mm512_stream_pd(p, a.v); }

/// Integers of 16 bits as floats, and floats rounded to the nearest of them.
QUDA_DEVICE Real<float> load_fixed(const short *p)
{
  return Real<float>(_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_load_si256((const __m256i *)p))));
}
QUDA_DEVICE void store_fixed(short *p, Real<float> a)
{
  _mm256_store_si256((__m256i *)p, _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(a.v)));
}
QUDA_DEVICE void stream_fixed(short *p, Real<float> a)
{
  _mm256_stream_si256((__m256i *)p, _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(a.v)));
}
QUDA_DEVICE Real<float> abs(Real<float> a) { return Real<float>(_mm512_abs_ps(a.v)); }
QUDA_DEVICE Real<float> max(Real<float> a, Real<float> b) { return Real<float>(_mm512_max_ps(a.v, b.v)); }

QUDA_DEVICE Real<float> permute(Real<float> a, const int *index)
{
  return Real<float>(_mm512_permutexvar_ps(_mm512_load_si512(index), a.v));
}
QUDA_DEVICE Real<double> permute(Real<double> a, const int *index)
{
  return Real<double>(_mm512_permutexvar_pd(_mm512_cvtepi32_epi64(_mm256_load_si256((const __m256i *)index)), a.v));
}

QUDA_DEVICE bool any(LaneMask<float, 16> m) { return _mm512_movepi32_mask((__m512i)m.v) != 0; }
QUDA_DEVICE bool any(LaneMask<double, 8> m) { return _mm512_movepi64_mask((__m512i)m.v) != 0; }

/// Half `h` of a register of floats as doubles.
QUDA_DEVICE Real<double> widen(Real<float> a, int h)
{
  return Real<double>(_mm512_cvtps_pd(h ? _mm512_extractf32x8_ps(a.v, 1) : _mm512_castps512_ps256(a.v)));
}

#else

QUDA_DEVICE Real<float> fma(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm256_fmadd_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<float> fnma(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm256_fnmadd_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<float> fms(Real<float> a, Real<float> b, Real<float> c)
{
  return Real<float>(_mm256_fmsub_ps(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fma(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm256_fmadd_pd(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fnma(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm256_fnmadd_pd(a.v, b.v, c.v));
}
QUDA_DEVICE Real<double> fms(Real<double> a, Real<double> b, Real<double> c)
{
  return Real<double>(_mm256_fmsub_pd(a.v, b.v, c.v));
}

QUDA_DEVICE Real<float> sqrt(Real<float> a) { return Real<float>(_mm256_sqrt_ps(a.v)); }
QUDA_DEVICE Real<double> sqrt(Real<double> a) { return Real<double>(_mm256_sqrt_pd(a.v)); }

QUDA_DEVICE Real<float> load(const float *p) { return Real<float>(_mm256_load_ps(p)); }
QUDA_DEVICE Real<double> load(const double *p) { return Real<double>(_mm256_load_pd(p)); }
QUDA_DEVICE void store(float *p, Real<float> a) { _mm256_store_ps(p, a.v); }
QUDA_DEVICE void store(double *p, Real<double> a) { _mm256_store_pd(p, a.v); }
QUDA_DEVICE void stream(float *p, Real<float> a) { _mm256_stream_ps(p, a.v); }
QUDA_DEVICE void stream(double *p, Real<double> a) { _mm256_stream_pd(p, a.v); }

QUDA_DEVICE Real<float> load_fixed(const short *p)
{
  return Real<float>(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_load_si128((const __m128i *)p))));
}
QUDA_DEVICE __m128i to_fixed(Real<float> a)
{
  const __m256i n = _mm256_cvtps_epi32(a.v);
  return _mm_packs_epi32(_mm256_castsi256_si128(n), _mm256_extracti128_si256(n, 1));
}
QUDA_DEVICE void store_fixed(short *p, Real<float> a) { _mm_store_si128((__m128i *)p, to_fixed(a)); }
QUDA_DEVICE void stream_fixed(short *p, Real<float> a) { _mm_stream_si128((__m128i *)p, to_fixed(a)); }
QUDA_DEVICE Real<float> abs(Real<float> a) { return Real<float>(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)); }
QUDA_DEVICE Real<float> max(Real<float> a, Real<float> b) { return Real<float>(_mm256_max_ps(a.v, b.v)); }

QUDA_DEVICE Real<float> permute(Real<float> a, const int *index)
{
  return Real<float>(_mm256_permutevar8x32_ps(a.v, _mm256_load_si256((const __m256i *)index)));
}
/// Four doubles move as pairs of floats: the table of four-lane registers holds doubled indices.
QUDA_DEVICE Real<double> permute(Real<double> a, const int *index)
{
  return Real<double>(
      _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(a.v), _mm256_load_si256((const __m256i *)index))));
}

QUDA_DEVICE bool any(LaneMask<float, 8> m) { return _mm256_movemask_ps((__m256)m.v) != 0; }
QUDA_DEVICE bool any(LaneMask<double, 4> m) { return _mm256_movemask_pd((__m256d)m.v) != 0; }

QUDA_DEVICE Real<double> widen(Real<float> a, int h)
{
  return Real<double>(_mm256_cvtps_pd(h ? _mm256_extractf128_ps(a.v, 1) : _mm256_castps256_ps128(a.v)));
}

#endif

/// One lane's number, rounded to the nearest integer of 16 bits.
QUDA_DEVICE short to_fixed(float a)
{
  const int n = _mm_cvtss_si32(_mm_set_ss(a));
  return static_cast<short>(n > 32767 ? 32767 : n < -32768 ? -32768 : n);
}

constexpr int line_bytes = 64;

/// Brings the line at p into the second-level cache some time later; few lines can be under way to the first.
QUDA_DEVICE void prefetch_line(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T1); }

/// Brings it into the first-level cache: for who asks a few lines at a time.
QUDA_DEVICE void prefetch_line_near(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }

} // namespace quda::QUDA_TARGET_NAMESPACE
