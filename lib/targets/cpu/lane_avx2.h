#pragma once
/// Registers of AVX2 (lane.h lists the contents of an instruction set's file).

#include "core/number.h"
#include "targets/cpu/lane_types.h"
#include <immintrin.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int register_bytes = 32;
using Floats = Lane<float, 8>;
using Doubles = Lane<double, 4>;

QUDA_DEVICE Floats fma(Floats a, Floats b, Floats c) { return Floats(_mm256_fmadd_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Floats fnma(Floats a, Floats b, Floats c) { return Floats(_mm256_fnmadd_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Floats fms(Floats a, Floats b, Floats c) { return Floats(_mm256_fmsub_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fma(Doubles a, Doubles b, Doubles c) { return Doubles(_mm256_fmadd_pd(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fnma(Doubles a, Doubles b, Doubles c) { return Doubles(_mm256_fnmadd_pd(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fms(Doubles a, Doubles b, Doubles c) { return Doubles(_mm256_fmsub_pd(a.v, b.v, c.v)); }

QUDA_DEVICE Floats sqrt(Floats a) { return Floats(_mm256_sqrt_ps(a.v)); }
QUDA_DEVICE Doubles sqrt(Doubles a) { return Doubles(_mm256_sqrt_pd(a.v)); }

QUDA_DEVICE Floats load(const float *p) { return Floats(_mm256_load_ps(p)); }
QUDA_DEVICE Doubles load(const double *p) { return Doubles(_mm256_load_pd(p)); }
QUDA_DEVICE void store(float *p, Floats a) { _mm256_store_ps(p, a.v); }
QUDA_DEVICE void store(double *p, Doubles a) { _mm256_store_pd(p, a.v); }
QUDA_DEVICE void stream(float *p, Floats a) { _mm256_stream_ps(p, a.v); }
QUDA_DEVICE void stream(double *p, Doubles a) { _mm256_stream_pd(p, a.v); }

QUDA_DEVICE Floats load(const Half *p)
{
  return Floats(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_load_si128((const __m128i *)p))));
}
QUDA_DEVICE Floats load(const Quarter *p)
{
  return Floats(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p))));
}
QUDA_DEVICE __m128i to_halves(Floats a)
{
  const __m256i n = _mm256_cvtps_epi32(a.v);
  return _mm_packs_epi32(_mm256_castsi256_si128(n), _mm256_extracti128_si256(n, 1));
}
QUDA_DEVICE __m128i to_quarters(Floats a)
{
  const __m128i n = to_halves(a);
  return _mm_packs_epi16(n, n); // the low half
}
QUDA_DEVICE void store(Half *p, Floats a) { _mm_store_si128((__m128i *)p, to_halves(a)); }
QUDA_DEVICE void store(Quarter *p, Floats a) { _mm_storel_epi64((__m128i *)p, to_quarters(a)); }
QUDA_DEVICE void stream(Half *p, Floats a) { _mm_stream_si128((__m128i *)p, to_halves(a)); }
QUDA_DEVICE void stream(Quarter *p, Floats a) { _mm_stream_si64((long long *)p, _mm_cvtsi128_si64(to_quarters(a))); }

QUDA_DEVICE Floats rounded(Floats a) { return Floats(_mm256_round_ps(a.v, 0)); }
QUDA_DEVICE Floats abs(Floats a) { return Floats(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)); }
QUDA_DEVICE Floats max(Floats a, Floats b) { return Floats(_mm256_max_ps(a.v, b.v)); }

QUDA_DEVICE Floats permute(Floats a, const int *index)
{
  return Floats(_mm256_permutevar8x32_ps(a.v, _mm256_load_si256((const __m256i *)index)));
}
/// Four doubles move as pairs of floats: the table of four-lane registers holds doubled indices.
QUDA_DEVICE Doubles permute(Doubles a, const int *index)
{
  return Doubles(
      _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(a.v), _mm256_load_si256((const __m256i *)index))));
}

QUDA_DEVICE bool any(Floats::Mask m) { return _mm256_movemask_ps((__m256)m.v) != 0; }
QUDA_DEVICE bool any(Doubles::Mask m) { return _mm256_movemask_pd((__m256d)m.v) != 0; }

QUDA_DEVICE Doubles widen(Floats a, int h)
{
  return Doubles(_mm256_cvtps_pd(h ? _mm256_extractf128_ps(a.v, 1) : _mm256_castps256_ps128(a.v)));
}
QUDA_DEVICE Floats narrow(Doubles low, Doubles high)
{
  return Floats(_mm256_set_m128(_mm256_cvtpd_ps(high.v), _mm256_cvtpd_ps(low.v)));
}

QUDA_DEVICE UnsignedLanes<double, 4> product(UnsignedLanes<double, 4> a, unsigned b)
{
  return (UnsignedLanes<double, 4>)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(b));
}

/// One number rounded to the nearest integer; numbers out of range give the least integer.
QUDA_DEVICE int nearest(float a) { return _mm_cvtss_si32(_mm_set_ss(a)); }

/// Makes stores past the cache visible to other threads before later stores.
QUDA_DEVICE void stream_fence() { _mm_sfence(); }

} // namespace quda::QUDA_TARGET_NAMESPACE
